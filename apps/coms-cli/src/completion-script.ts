/**
 * The completion scripts. Values hold no blanks, so a line is `value<tab>description`.
 */
import type { Shell } from './shells.ts';

const bash = `# bash completion for coms
_coms() {
  local value IFS=$'\\n'
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    COMPREPLY+=("$value")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _coms coms coms-cli
`;

const zsh = `#compdef coms coms-cli
# zsh completion for coms
_coms() {
  local line value brief
  local -a proposals
  while IFS=$'\\t' read -r value brief; do
    proposals+=("\${value//:/\\\\:}:$brief")
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe -V coms proposals || _files
}
if [ "$funcstack[1]" = "_coms" ]; then _coms "$@"; else compdef _coms coms coms-cli; fi
`;

const fish = `# fish completion for coms
function __coms_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c coms -f -a '(__coms_complete)'
complete -c coms-cli -f -a '(__coms_complete)'
`;

const scripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };

export function completionScript(shell: Shell): string {
  return scripts[shell];
}
