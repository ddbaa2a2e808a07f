// Request bodies: which are read, up to which size, and forms without repeated parameters.
import type { FastifyInstance, FastifyRequest } from 'fastify'

export const JSON_BODY = 'application/json'
export const FORM_BODY = 'application/x-www-form-urlencoded'

/** Bodies of other media types are discarded. `*` is every type. */
export type BodyRules = { types: readonly string[]; maxBytes: number }

type Body = { type: string; text: string }

/** So that the response can be about the path, the method or the media type. */
export const discardBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume()
    done(null)
  })
}

export const readBodies = (app: FastifyInstance, { types, maxBytes }: BodyRules): void => {
  discardBodies(app)
  const options = { parseAs: 'string', bodyLimit: maxBytes } as const
  for (const type of types) {
    if (type === '*') app.removeContentTypeParser('*')
    app.addContentTypeParser(type, options, (_request, text, done) => {
      done(null, { type, text: String(text) } satisfies Body)
    })
  }
}

/** Undefined if the request has no body that its route reads, or one of another type. */
export const getBody = (request: FastifyRequest, type: string): string | undefined => {
  const body = request.body as Body | undefined | null
  return body?.type === type ? body.text : undefined
}

const MAX_PARAMETERS = 32

/** A parameter without a value counts as absent (RFC 6749, section 3.2). */
export type Form = (name: string) => string | undefined

/** `reason` is a sentence. */
export type StrictForm = { ok: true; form: Form } | { ok: false; reason: string }

export const parseStrictForm = (text: string): StrictForm => {
  const values = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (values.has(name)) {
      return { ok: false, reason: 'A parameter occurs more than once. Send each one once.' }
    }
    values.set(name, value)
    if (values.size > MAX_PARAMETERS) {
      return { ok: false, reason: `The body must have at most ${MAX_PARAMETERS} parameters.` }
    }
  }
  return { ok: true, form: (name) => values.get(name) || undefined }
}
