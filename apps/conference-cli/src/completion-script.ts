/** The completion scripts. They are thin: they call `conference __complete -- <words>` and show what comes back. */
import type { Shell } from './shells.ts';

const bash = `# bash completion for conference
_conference() {
  local value IFS=$'\\n'
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    COMPREPLY+=("$value")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _conference conference
`;

const zsh = `#compdef conference
# zsh completion for conference
_conference() {
  local value brief
  local -a proposals
  while IFS=$'\\t' read -r value brief; do
    proposals+=("\${value//:/\\\\:}:$brief")
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -V conference proposals || _files
}
if [ "$funcstack[1]" = "_conference" ]; then _conference "$@"; else compdef _conference conference; fi
`;

const fish = `# fish completion for conference
function __conference_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c conference -a '(__conference_complete)'
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };

export function completionScript(shell: Shell): string {
  return scripts[shell];
}
