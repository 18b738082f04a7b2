/**
 * What a diff must not do, and how it looks whatever the configuration says. Submodules are compared by their commits alone:
 * to look into one, git starts another git in it, and nobody looked at the configuration there.
 */
export const DIFF_FLAGS = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--ignore-submodules=dirty',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
] as const;
