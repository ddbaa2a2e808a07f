// Which texts of proposals are links. Nothing follows them: readers open them. Pure.

const SCHEMES: readonly string[] = ['http:', 'https:', 'ipfs:']
const MAX_LINK_LENGTH = 2_048

/** An absolute URL of the web or of IPFS, without a user name. */
export const isWebLink = (text: string): boolean => {
  if (text.length > MAX_LINK_LENGTH || /[\s\p{Cc}\p{Cf}\p{Cs}]/u.test(text)) return false
  if (!/^[a-z]+:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return SCHEMES.includes(protocol) && username === '' && password === ''
}
