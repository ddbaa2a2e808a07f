// Routes as values: the methods of a path follow from its handlers. Pure, for Fastify and for node:http.

/** A `:name` in a path is any text without a slash. GET includes HEAD. */
export type RouteValue<Handler> = {
  path: string
  handlers: Readonly<{ GET?: Handler; POST?: Handler }>
}

/** The methods of a path, as `Allow` lists them. */
export const listMethods = ({ handlers }: RouteValue<unknown>): string[] => [
  ...(handlers.GET ? ['GET', 'HEAD'] : []),
  ...(handlers.POST ? ['POST'] : []),
]

export const findHandler = <Handler>(
  { handlers }: RouteValue<Handler>,
  method: string,
): Handler | undefined => {
  if (method === 'POST') return handlers.POST
  return method === 'GET' || method === 'HEAD' ? handlers.GET : undefined
}

const toPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}$`)

export type RouteTable<Route> = {
  add(route: Route): void
  /** `path` is decoded. */
  find(path: string): Route | undefined
}

export const createRouteTable = <Route extends { path: string }>(): RouteTable<Route> => {
  const fixed = new Map<string, Route>()
  const patterns: { pattern: RegExp; route: Route }[] = []
  return {
    add: (route) => {
      if (!route.path.includes(':')) fixed.set(route.path, route)
      else patterns.push({ pattern: toPattern(route.path), route })
    },
    find: (path) => fixed.get(path) ?? patterns.find(({ pattern }) => pattern.test(path))?.route,
  }
}
