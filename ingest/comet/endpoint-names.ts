// Names for endpoints in logs and metrics: the host alone, because paths and users may hold API keys.

export const endpointNames = (urls: readonly string[]): string[] => {
  const seen = new Map<string, number>()
  return urls.map((url) => {
    const { host } = new URL(url)
    const count = (seen.get(host) ?? 0) + 1
    seen.set(host, count)
    return count === 1 ? host : `${host}#${count}`
  })
}
