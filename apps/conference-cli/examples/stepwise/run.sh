#!/bin/sh
# A root in a shell script: a whole conference through plan, confirm, next, dispatch, submit, expire and decide.
#
#   sh run.sh [OUT]        OUT: a folder that does not exist yet (default ./stepwise-out)
#
# It needs the `conference` command (or CONFERENCE='node …/main.js'), node, and what every POSIX system has.
# delegate_task is played by a function that runs child.mjs; an agent calls its own delegate_task there.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
out=${1:-stepwise-out}
conference=${CONFERENCE:-conference}
turns_max=60

# Prints what an expression over the document `d` on standard input gives: a line, or one for each entry of a list.
pick() {
  node -e '
    let text = "";
    process.stdin.on("data", (chunk) => (text += chunk)).on("end", () => {
      const value = new Function("d", `return ${process.argv[1]}`)(JSON.parse(text));
      for (const one of [value].flat()) console.log(typeof one === "string" ? one : JSON.stringify(one));
    });' "$1"
}

# Reads a charter, prints a packet. The child gets an empty folder, and no path of ours.
delegate_task() {
  (cd "$work/child" && env -i PATH="$PATH" node "$here/child.mjs")
}

if [ -e "$out" ]; then
  echo "run.sh: $out is there already: name a new folder" >&2
  exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/child"

# The start gate. Here the script plays the person who reads the conditions and confirms them by their digest.
mkdir -p "$out"
cp "$here/conference.md" "$out/conference.md"
$conference plan "$out/conference.md" --json >"$work/plan"
digest=$(pick d.plan_digest <"$work/plan")
$conference confirm "$out" --plan-digest "$digest" --write-to "$out" --json >"$work/confirmed"
echo "confirmed $digest"

turn=0
while :; do
  turn=$((turn + 1))
  if [ "$turn" -gt "$turns_max" ]; then
    echo "run.sh: not done after $turns_max turns" >&2
    exit 1
  fi

  # What became overdue while the children worked is booked before anything is decided on.
  $conference expire "$out" --json >"$work/expired"
  $conference next "$out" --json >"$work/next"
  case $(pick 'd.actions.map((one) => one.action)[0] ?? "nothing"' <"$work/next") in

  delegate_task)
    # Only what dispatch prints stands in the ledger, and only that may be sent.
    $conference dispatch "$out" --slots 2 --json >"$work/dispatched"
    for id in $(pick 'd.actions.map((one) => one.dispatch_id)' <"$work/dispatched"); do
      pick "d.actions.find((one) => one.dispatch_id === '$id').charter" <"$work/dispatched" >"$work/charter"
      echo "sent      $id $(pick '[d.role, d.lane ?? "", "round " + d.round].join(" ")' <"$work/charter")"
      delegate_task <"$work/charter" >"$work/packet"
      code=0
      $conference submit "$out" "$id" "$work/packet" --json >"$work/submitted" || code=$?
      echo "submitted $id $(pick '[d.result, d.code ?? ""].join(" ")' <"$work/submitted")"
      # 5: the packet was refused, which is booked; anything else that is not 0 is for the user.
      [ "$code" -eq 0 ] || [ "$code" -eq 5 ] || exit "$code"
    done
    ;;

  ask_user)
    # Decisions are the user's. Here the script plays the user, who goes on wherever that is offered.
    pick 'd.actions.find((one) => one.action === "ask_user")' <"$work/next" >"$work/asked"
    decision=$(pick d.decision_id <"$work/asked")
    option=$(pick '(d.options.find(({ id }) => id === "continue") ?? d.options[0]).id' <"$work/asked")
    echo "asked     $(pick d.question <"$work/asked")"
    $conference decide "$out" "$decision" "$option" --json >"$work/decided"
    echo "decided   $decision $option"
    ;;

  wait)
    # Nothing of this script's is out once a turn is over: whatever is, was sent by somebody who is gone.
    echo "run.sh: dispatches are out that this script did not send; see conference dispatch $out --open" >&2
    exit 1
    ;;

  done)
    pick 'd.actions.map((one) => "done      " + one.outcome + ", target met: " + one.target_met)' <"$work/next"
    break
    ;;

  *)
    echo "run.sh: nothing to do and not done" >&2
    exit 1
    ;;
  esac
done
echo "report    $out/final_report.md"
