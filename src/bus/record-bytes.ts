export { readRecordBody, readRecordHeader, recordDigest, recordNames } from "../wire/record.ts";
