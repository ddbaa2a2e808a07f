// Names endpoints in logs and metrics by host only, because paths and user names may contain API keys.

export const endpointNames = (urls: readonly string[]): string[] => {
  const seen = new Map<string, number>()
  return urls.map((url) => {
    const { host } = new URL(url)
    const count = (seen.get(host) ?? 0) + 1
    seen.set(host, count)
    return count === 1 ? host : `${host}#${count}`
  })
}
