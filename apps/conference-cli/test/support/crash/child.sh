#!/bin/sh
# A fast child of a conference: reads one charter, prints the one packet that role, round and lane determine. No process is
# started on the way but `cat`, so that hundreds of conferences take minutes. Arguments:
#   SEAT=BEHAVIOUR   SEAT is A, A1 (lane A in round 1), poster, review, synthesis, with or without its round, or `all`
#   pause=SECONDS    every child takes so long
#   gate=FILE        every child waits until that file is there; gate-SEAT=FILE: this one does
charter=$(cat)
after() { rest=${charter#*"$1"}; printf '%s' "${rest%%\"*}"; }
tail=${charter#*'"dispatch_id":"'}
# Keys of canonical JSON stand sorted: the charter's own dispatch_id comes before its evidence and its schema.
id=${tail%%\"*}
role=${charter##*'"role":"'}
role=${role%%\"*}
round=${charter##*'"round":'}
round=${round%%[,\}]*}
lane=
case $charter in *'"lane":"'*) lane=${charter#*'"lane":"'} lane=${lane%%\"*} ;; esac
case $role in
  researcher) seat=$lane ;;
  reviewer) seat=review ;;
  *) seat=$role ;;
esac
how=ok pause= gate=
for rule in "$@"; do
  case ${rule%%=*} in
    "$seat$round" | "$seat" | all) how=${rule#*=} ;;
    pause) pause=${rule#*=} ;;
    gate | "gate-$seat") gate=${rule#*=} ;;
  esac
done
[ -n "$pause" ] && sleep "$pause"
while [ -n "$gate" ] && [ ! -e "$gate" ]; do sleep 0.05; done

# Each value that stands after a mark in the evidence, in a template, parted by commas.
each() {
  rest=$charter first=
  while :; do
    case $rest in *"$1"*) ;; *) break ;; esac
    rest=${rest#*"$1"}
    printf '%s' "$first"
    printf "$3" "${rest%%"$2"*}"
    first=,
  done
}
base() { printf '{"dispatch_id":"%s","role":"%s","status":"completed","claims":[%s],"uncertainties":[],"recommended_root_actions":[],' "$id" "$role" "$1"; }
shown='"source":"packet ' ref='\"ref\":\"'
case $lane in B) value=$((50 + 10 * round)) ;; *) value=$((51 + 10 * round)) ;; esac
# From round 2 on nothing improves by much, so the conference ends on its plateau.
[ "$round" -gt 2 ] && value=60
packet() {
  case $role in
    researcher)
      base "{\"claim\":\"lane $lane gives $value in round $round\",\"evidence\":\"measured three times\",\"confidence\":\"medium\"}"
      printf '"hypotheses":[],"measurements":[{"name":"score","value":"%s","provenance":"mean of three runs"}],"stuck_level":0}\n' "$value" ;;
    poster)
      base ''
      printf '"summaries":[%s],"agreements":[],"conflicts":[],"missing_evidence":[],"measurements":[],"review_questions":["Is the best value real?"]}\n' \
        "$(each "$shown" '"' '{"dispatch_id":"%s","summary":"one setting was measured"}')" ;;
    reviewer)
      base ''
      printf '"verdicts":[%s]}\n' "$(each "$ref" '\' '{"claim":"as listed","claim_ref":"%s","verdict":"validated","reason":"worked out again","evidence":"an independent calculation","confidence":"high"}')" ;;
    synthesis)
      base ''
      first=${charter#*"$ref"}
      printf '"established":[{"finding":"the best setting is known","claim_refs":["%s"]}],"promising":[],"negative_results":[],"contradictions":[],"next_decisions":["adopt it or not"]}\n' "${first%%\\*}" ;;
  esac
}
case $how in
  fail) exit 3 ;;
  hang) exec sleep 600 ;;
  garbage) echo 'I have nothing to say in JSON.' ;;
  *) packet ;;
esac
exit 0
