// Derives names from type URLs.

/** `/cosmos.gov.v1.MsgUpdateParams` → `Update params`. */
export const messageName = (type: string): string => {
  const last = type.split(/[./]/).at(-1)?.replace(/^Msg/, '') ?? ''
  const words = last.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words === '' ? 'Message' : words[0]?.toUpperCase() + words.slice(1)
}

const VERSION = /^v[0-9]+(?:(?:alpha|beta)[0-9]+)?$/
const WITHOUT_MEANING = new Set(['applications', 'core'])

/** `/cosmos.gov.v1.MsgUpdateParams` → `gov`: the package without its organization and its version. */
export const moduleName = (type: string): string => {
  const segments = type.replace(/^\//, '').split('.').slice(0, -1)
  const [first, ...rest] = segments.filter((segment) => !VERSION.test(segment))
  const meaning = rest.filter((segment) => !WITHOUT_MEANING.has(segment))
  return meaning.length > 0 ? meaning.join('.') : (first ?? type)
}
