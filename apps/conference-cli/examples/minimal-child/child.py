#!/usr/bin/env python3
"""The smallest child that can fill every seat: one charter on stdin, one packet on stdout."""
import json
import sys

charter = json.load(sys.stdin)
# Research packets that the charter shows, each as the JSON in its excerpt.
shown = [json.loads(item["excerpt"]) for item in charter["read_context"] if item["source"].startswith("packet ")]
refs = [entry["ref"] for packet in shown for entry in packet.get("claims", []) + packet.get("measurements", [])]
measured = str(40 + 10 * charter["round"])  # here your own work goes: run it, measure it


def researcher():
    metric = charter["success_definition"]["metric"]["name"]
    return {
        "claims": [{"claim": "it gives " + measured, "evidence": "measured three times", "confidence": "medium"}],
        "hypotheses": [],
        "measurements": [{"name": metric, "value": measured, "provenance": "mean of three runs"}],
        "stuck_level": 0,
    }


def poster():
    summaries = [{"dispatch_id": packet["dispatch_id"], "summary": "one setting was measured"} for packet in shown]
    lists = ["agreements", "conflicts", "missing_evidence", "measurements", "review_questions"]
    return {"summaries": summaries, **{name: [] for name in lists}}


def reviewer():
    verdict = {
        "claim": "as listed",
        "verdict": "validated",
        "reason": "it was measured again",
        "evidence": "an independent run gives the same number",
        "confidence": "high",
    }
    return {"verdicts": [{**verdict, "claim_ref": ref} for ref in refs]}


def synthesis():
    lists = ["promising", "negative_results", "contradictions", "next_decisions"]
    return {"established": [{"finding": "the setting works", "claim_refs": refs[:1]}], **{name: [] for name in lists}}


packet = {
    "dispatch_id": charter["dispatch_id"],
    "role": charter["role"],
    "status": "completed",
    "claims": [],
    "uncertainties": [],
    "recommended_root_actions": [],
}
packet.update({"researcher": researcher, "poster": poster, "reviewer": reviewer, "synthesis": synthesis}[charter["role"]]())
print(json.dumps(packet))
