import { describe, expect, test } from "vitest";
import { boundEntry, boundRecord } from "../../../src/render/bound-record.ts";
import { redactBound } from "../../../src/render/redact.ts";

const SECRET = "S3CR3T-marker";

describe("bounded record", () => {
  test("an entry keeps its name and its id whole, however narrow the bound", () => {
    const entry = { event: "grant.recorded", requestId: "perm-0f2ff680", pattern: "make *" };
    expect(boundEntry(entry, { maxWidth: 3 })).toEqual({ ...entry, pattern: "mak…" });
  });

  test("the live object stays as it was", () => {
    const body = {
      command: `TOKEN=${SECRET} ls`,
      nested: [{ token: SECRET, long: "x".repeat(2_000) }],
    };
    const before = structuredClone(body);
    const bounded = boundRecord(body);
    expect(body).toEqual(before);
    expect(bounded).toEqual({
      command: "TOKEN=[redacted] ls",
      nested: [{ token: "[redacted]", long: `${"x".repeat(1_000)}…` }],
    });
  });

  test("a nonce, a proof and a signature stay nowhere", () => {
    const body = {
      nonce: "n-1",
      "Af-Proof": "p-1",
      "Af-Sig": "s-1",
      deep: [{ decisionSignature: { value: "s-2" } }],
    };
    expect(JSON.stringify(boundRecord(body))).not.toMatch(/[nps]-\d/);
  });

  test("a list under a sensitive name is replaced whole", () => {
    const body = { token: ["EXAMPLE-1"], auth: { secretV: { raw: "EXAMPLE-2" } } };
    expect(boundRecord(body)).toEqual({ token: "[redacted]", auth: { secretV: "[redacted]" } });
  });

  test("a name that objects inherit is a key like any other", () => {
    const body = JSON.parse('{"__proto__":{"a":"x"},"constructor":"y"}') as Record<string, unknown>;
    expect(JSON.stringify(boundRecord(body))).toBe('{"__proto__":{"a":"x"},"constructor":"y"}');
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  test("what is nested beyond all sense is told as such and can be serialised", () => {
    let body: Record<string, unknown> = { leaf: "x" };
    for (let i = 0; i < 100_000; i += 1) body = { k: body };
    expect(JSON.stringify(boundRecord(body))).toContain("[too deep]");
  });
});

describe("secrets in a shell text", () => {
  test.each([
    [`API_TOKEN=${SECRET} curl -s host`, "API_TOKEN=[redacted] curl -s host"],
    [`export API_TOKEN="${SECRET} two" && ls`, "export API_TOKEN=[redacted] && ls"],
    [`SECRET=a"${SECRET}"'c d' run`, "SECRET=[redacted] run"],
    [`SECRET=a\\ ${SECRET} run`, "SECRET=[redacted] run"],
    [`TOKEN=$(echo "${SECRET}" | cat) ls`, "TOKEN=[redacted] ls"],
    [`TOKEN=\`echo ${SECRET}\` ls`, "TOKEN=[redacted] ls"],
    [`TOKEN=(${SECRET} b) ls`, "TOKEN=[redacted] ls"],
    [`TOKEN+=${SECRET} x`, "TOKEN+=[redacted] x"],
    [
      `curl -H "Authorization: Bearer ${SECRET}" https://x`,
      'curl -H "Authorization: [redacted]" https://x',
    ],
    [`curl -HAuthorization:${SECRET} host`, "curl -HAuthorization:[redacted] host"],
    [`curl -H Authorization:\\ Bearer\\ ${SECRET} host`, "curl -H Authorization:[redacted] host"],
    [`curl --header="Cookie: a=b; c=${SECRET}" host`, 'curl --header="Cookie: [redacted]" host'],
    [`curl 'https://h/?token=${SECRET}&x=1' -o f`, "curl 'https://h/?token=[redacted]&x=1' -o f"],
    [`curl https://u:${SECRET}@host/x`, "curl https://u:[redacted]@host/x"],
    [`curl -d '{"password":"${SECRET}","a":1}' h`, `curl -d '{"password":"[redacted]","a":1}' h`],
    [`curl -d "{\\"password\\": \\"${SECRET}\\"}"`, 'curl -d "{\\"password\\": \\"[redacted]\\"}"'],
    [`curl -d '{"tokens":["a","${SECRET}"]}' h`, `curl -d '{"tokens":[redacted]' h`],
    [`curl -d '{"password": 12, "x":1}' h`, `curl -d '{"password": [redacted], "x":1}' h`],
    [`mysql --password ${SECRET} db`, "mysql --password [redacted] db"],
    [`tool --api-key "${SECRET} z" go`, "tool --api-key [redacted] go"],
    [`set -x API_TOKEN ${SECRET}; ls`, "set -x API_TOKEN [redacted]; ls"],
    [`npm config set //r/:_authToken ${SECRET}`, "npm config set //r/:_authToken [redacted]"],
    [`python -c "token = '${SECRET}'; f()"`, "python -c \"token = '[redacted]'; f()\""],
    [`h["Authorization"] = "Bearer ${SECRET}"`, 'h["Authorization"] = [redacted]'],
    [`bash -c 'API_TOKEN=${SECRET} curl host'`, "bash -c 'API_TOKEN=[redacted] curl host'"],
    [`bash -c "TOKEN=${SECRET}; curl host"`, 'bash -c "TOKEN=[redacted]; curl host"'],
    [`echo "\${API_TOKEN:-${SECRET}}"`, 'echo "${API_TOKEN:-[redacted]}"'],
    [
      `cat <<EOF\npassword: ${SECRET} two\nuser: x\nEOF`,
      "cat <<EOF\npassword: [redacted]\nuser: x\nEOF",
    ],
    [
      `cat <<EOF\n- password: >-\n    ${SECRET}\n\n    two\n  user: x\nEOF`,
      "cat <<EOF\n- password: [redacted]\n  user: x\nEOF",
    ],
    [
      `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`,
      "-----BEGIN PRIVATE KEY-----[redacted]-----END PRIVATE KEY-----",
    ],
    [`password="${SECRET}`, "password=[redacted]"],
    [`docker run -e 'DB_PASSWORD=${SECRET}' i`, "docker run -e 'DB_PASSWORD=[redacted]' i"],
    [`mysql --password '$${SECRET}'`, "mysql --password [redacted]"],
    [`API\u200b_KEY=${SECRET} ls`, "API\u200b_KEY=[redacted] ls"],
    [`ＡＰＩ＿ＫＥＹ=${SECRET} ls`, "ＡＰＩ＿ＫＥＹ=[redacted] ls"],
    [`api\u00a0key: ${SECRET} x`, "api\u00a0key: [redacted]"],
    [`{"to\u200bken":"${SECRET} a","b":1}`, '{"to\u200bken":[redacted],"b":1}'],
    [`{"p\\u0061ssword":"${SECRET}"}`, '{"p\\u0061ssword":[redacted]}'],
    [`export pa\\ssword=${SECRET} ls`, "export pa\\ssword=[redacted] ls"],
    [`env PASS''WORD=${SECRET},b ls`, "env PASS''WORD=[redacted] ls"],
    [`env PASS"WORD"=${SECRET},b ls`, 'env PASS"WORD"=[redacted] ls'],
    [`env "PASS"WORD='x ${SECRET}' ls`, 'env "PASS"WORD=[redacted] ls'],
    [`pass\\\nword=${SECRET} ls`, "pass\\\nword=[redacted] ls"],
    [`pa\u001b[31mssword=${SECRET}`, "pa\u001b[31mssword=[redacted]"],
    [`'https://h/?t%6fken=${SECRET}&x=1'`, "'https://h/?t%6fken=[redacted]&x=1'"],
    [`TOKEN=a\u00a0${SECRET} ls`, "TOKEN=[redacted] ls"],
    [`mysql '--password' ${SECRET} db`, "mysql '--password' [redacted] db"],
    [`["--token", "${SECRET} x", "b"]`, '["--token", [redacted], "b"]'],
    [`{"token" :"${SECRET} z"}`, '{"token" :[redacted]}'],
    [`{"token":\n "${SECRET} z","a":2}`, '{"token":\n [redacted],"a":2}'],
    [`'password' => '${SECRET} x',`, "'password' => [redacted],"],
    [`redis://:${SECRET}@h`, "redis://:[redacted]@h"],
    [`token=[redacted]${SECRET} x`, "token=[redacted] x"],
  ])("%j is kept as %j", (given, kept) => {
    expect(redactBound(given)).toBe(kept);
  });

  test.each([
    "ls -la src",
    "PASSWORD= psql",
    "echo $API_TOKEN > f",
    'curl -H "Authorization: Bearer $API_TOKEN" https://host',
    "TOKEN=$CI_TOKEN run",
    "cat /etc/passwd | grep root",
    'git commit -m "fix token handling"',
    "docker login --password-stdin registry.invalid",
    "grep -rn token src",
    "git clone https://host/a/secret.git",
    "git clone ssh://git@host:22/x",
    "echo ${API_TOKEN}",
    "echo 'to' 'ken' = x",
    "printf '\\x41=%s' ab",
    "日本 = 語 🦀 e\u0301=x",
  ])("the harmless %j is untouched", (text) => {
    expect(redactBound(text)).toBe(text);
  });

  test.each([
    "token",
    "token ",
    "'token=",
    '--token="',
    "$(",
    "secret: ",
    "://a:b",
    '"',
    "\\",
    "t'o'k'e'n'=x",
    "t\u200boken=x ",
    "--'token' ",
    '"token",',
    "\\u0074oken=",
  ])("a megabyte of %j is read once", (piece) => {
    const text = piece.repeat(Math.floor(1_000_000 / piece.length));
    expect(redactBound(text).length).toBeGreaterThan(0);
  });
});
