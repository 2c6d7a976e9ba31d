/** The long text of `--help`: what a manual page would say. */
export const DESCRIPTION = `Plans the terminal workspace of a team: a pane for the conductor and one for each peer.
With --dry-run the plan is printed and nothing else happens; without it the workspace is opened in herdr.

The teams are in .pi/agents/peers.yaml, looked for from the current folder upwards, or in the file of --peers:

  docs:
    - name: writer
      persona: technical-writer
    - name: checker
      persona: fact-checker
      model: lab/m-1             (optional)
      extensions: web-tools,db   (optional)
      env_file: .env.docs        (optional; inside the repository; read when opening, never when printing)
    - name: second-opinion
      runner: claude-code        (needs no persona, takes no extensions)
  empty: []

EXAMPLES
  conductor-layout docs                               open the workspace of team docs
  conductor-layout docs --dry-run                     print its layout as JSON
  conductor-layout docs --dry-run --format tree       draw it here
  conductor-layout docs --dry-run --format svg > docs.svg
  conductor-layout docs --no-conductor --project acme the peers alone, in the coms project acme

FILES AND ENVIRONMENT
  .pi/agents/peers.yaml     the teams
  HERDR_SOCKET_PATH         where herdr listens (otherwise ~/.config/herdr/herdr.sock)
  COLUMNS                   the width of the tree drawing where stdout is no terminal (otherwise 80)

EXIT STATUS
  0    done
  1    herdr is absent, too old, has a workspace of that label, or failed; what was opened is closed again
  2    bad usage, or faults in the teams file: all of them, as file:line:column: what
  130  interrupted; what was opened is closed again

SHELL COMPLETION
  conductor-layout completion bash|zsh|fish           print the script for your shell

A team that is itself called completion is opened by: conductor-layout -- completion`;
