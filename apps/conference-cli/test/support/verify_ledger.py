"""A second implementation of the ledger, written from 03 Ledger alone: it shares no code and no language with ours.

usage: verify_ledger.py conference_events.jsonl
Prints {"lines": n, "head": "sha256:…"} and ends with 0, or prints the first wrong line and ends with 4.
"""
import hashlib
import json
import re
import sys

KEYS = ["digest", "event", "payload", "prev", "seq", "timestamp"]
ESCAPES = {8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\"}


def canonical(value):
    """RFC 8785, of what a ledger holds: no fraction and no exponent ever stands in a line."""
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        if abs(value) > 2**53 - 1:
            raise ValueError("a number that a double cannot hold")
        return str(value)
    if isinstance(value, float):
        raise ValueError("a number that is not whole")
    if isinstance(value, str):
        return '"' + "".join(ESCAPES.get(ord(c)) or ("\\u%04x" % ord(c) if ord(c) < 32 else c) for c in value) + '"'
    if isinstance(value, list):
        return "[" + ",".join(canonical(one) for one in value) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in keys) + "}"


def unique(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("a key twice")
    return dict(pairs)


def check(line, seq, prev):
    text = line.decode("utf-8", "strict")
    record = json.loads(text, object_pairs_hook=unique)
    if sorted(record) != KEYS:
        raise ValueError("other keys than " + ", ".join(KEYS))
    if canonical(record) != text:
        raise ValueError("not canonical JSON")
    if record["seq"] != seq:
        raise ValueError("seq is %r" % record["seq"])
    if record["prev"] != prev:
        raise ValueError("prev is not the digest of the line before")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", record["timestamp"]):
        raise ValueError("a timestamp that is not ISO with milliseconds and Z")
    # The line without its digest member: `{` and everything after the first comma.
    digest = "sha256:" + hashlib.sha256(b"{" + line[line.index(b",") + 1 :]).hexdigest()
    if record["digest"] != digest:
        raise ValueError("digest is not the one of the line")
    return record["digest"], record["timestamp"]


def main(path):
    with open(path, "rb") as ledger:
        data = ledger.read()
    lines = data.split(b"\n")
    if lines.pop() != b"":
        print("the last line does not end")
        return 4
    prev, before = "sha256:" + "0" * 64, ""
    for seq, line in enumerate(lines, 1):
        try:
            prev, at = check(line, seq, prev)
            if at < before:
                raise ValueError("time runs back")
            before = at
        except (ValueError, UnicodeDecodeError) as error:
            print("line %d: %s" % (seq, error))
            return 4
    print(json.dumps({"lines": len(lines), "head": prev}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
