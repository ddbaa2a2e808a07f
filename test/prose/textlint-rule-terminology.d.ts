// The rule is published without types.
declare module 'textlint-rule-terminology' {
  import type { TextlintKernelRule } from '@textlint/kernel'

  const rule: TextlintKernelRule['rule']

  // biome-ignore lint/style/noDefaultExport: what the package exports
  export default rule
}
