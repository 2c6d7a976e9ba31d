/**
 * The guard of one child: a shell that is started as the leader of a process group of its own, runs the child in it,
 * and ends the whole group when the root's end of a pipe closes, however the root came to its end (07 exec).
 *
 * - descriptor 3 is the pipe; only the root holds its other end, so it closes with the root;
 * - before the group it ends what left it and still names the child's charter in its environment (Linux, as strays.ts);
 * - the watcher ignores what asks a group to end, so it outlives a child that does not end when asked;
 * - stderr is the child's own: what a shell says of a child that was ended ("Terminated") is no word of the child;
 * - the shell itself outlives a TERM, so that the child's own exit code is what the root sees.
 */
export const GUARD_SCRIPT = `trap : TERM HUP INT
(
  trap '' TERM HUP INT
  cat
  me=$(exec sh -c 'echo "$PPID"')
  for file in $(grep -lsF "CONFERENCE_CHARTER=$CONFERENCE_CHARTER" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}
    pid=\${pid%/environ}
    [ "$pid" = "$me" ] || kill -KILL "$pid"
  done
  kill -KILL 0
) <&3 3<&- >/dev/null 2>&1 &
exec 4>&2 2>/dev/null
( exec "$@" 2>&4 3<&- 4>&- )
`;

/** The shell of the guard; POSIX puts it here. */
export const GUARD_SHELL = '/bin/sh';
