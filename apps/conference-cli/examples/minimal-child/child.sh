#!/bin/sh
# The smallest child that can fill every seat: one charter on stdin, one packet on stdout. Needs jq.
exec jq -c '
  ([.read_context[] | select(.source | startswith("packet ")) | .excerpt | fromjson]) as $shown
  | ([$shown[] | (.claims // []) + (.measurements // []) | .[].ref]) as $refs
  | ((40 + 10 * .round) | tostring) as $measured # here your own work goes: run it, measure it
  | {dispatch_id, role, status: "completed", claims: [], uncertainties: [], recommended_root_actions: []} + (
      if .role == "researcher" then {
        claims: [{claim: "it gives \($measured)", evidence: "measured three times", confidence: "medium"}],
        hypotheses: [],
        measurements: [{name: .success_definition.metric.name, value: $measured, provenance: "mean of three runs"}],
        stuck_level: 0
      } elif .role == "poster" then {
        summaries: [$shown[] | {dispatch_id, summary: "one setting was measured"}],
        agreements: [], conflicts: [], missing_evidence: [], measurements: [], review_questions: []
      } elif .role == "reviewer" then {
        verdicts: [$refs[] | {
          claim: "as listed", claim_ref: ., verdict: "validated", reason: "it was measured again",
          evidence: "an independent run gives the same number", confidence: "high"
        }]
      } else {
        established: [{finding: "the setting works", claim_refs: $refs[:1]}],
        promising: [], negative_results: [], contradictions: [], next_decisions: []
      } end
    )'
