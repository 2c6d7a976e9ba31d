# The conductor's workspace (apps/conductor-layout), with the sample teams unless --peers names others.
# Without just the same are: npx pnpm@12 conductor <team> and npx pnpm@12 conductor-dry <team>.

# The words after a recipe's name reach the command as they are; no shell reads them a second time.
set positional-arguments

# Open a team beside its conductor in herdr: just conductor docs
[no-exit-message]
conductor team *flags:
    @node apps/conductor-layout/from-checkout.mjs "$@"

# Print what would be opened, and open nothing: just conductor-dry docs --format tree
[no-exit-message]
conductor-dry team *flags:
    @node apps/conductor-layout/from-checkout.mjs --dry-run "$@"
