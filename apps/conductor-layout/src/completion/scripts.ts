/**
 * The completion scripts: each asks the command itself what may come next, so that they never grow stale.
 * They give whole words, one a line; words of a teams file hold nothing that a shell would act on.
 */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof SHELLS)[number];

export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# conductor-layout: put this in ~/.bashrc:  eval "$(conductor-layout completion bash)"
_conductor_layout() {
  local IFS=$'\\n'
  COMPREPLY=($(conductor-layout completion propose -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _conductor_layout conductor-layout
`,
  zsh: `#compdef conductor-layout
# conductor-layout: put this in ~/.zshrc after compinit:  eval "$(conductor-layout completion zsh)"
_conductor_layout() {
  local -a proposals
  proposals=("\${(@f)$(conductor-layout completion propose -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$proposals" ]]; then compadd -a proposals; else _files; fi
}
compdef _conductor_layout conductor-layout
`,
  fish: `# conductor-layout: put this in ~/.config/fish/completions/conductor-layout.fish
function __conductor_layout
  set -l words (commandline -opc) (commandline -ct)
  conductor-layout completion propose -- $words[2..-1] 2>/dev/null
end
complete -c conductor-layout -f -a '(__conductor_layout)'
complete -c conductor-layout -l peers -r -F
`,
};
