export { readRecordHeader, recordDigest } from "../wire/record.ts";
