// Schema of error bodies: problem details (RFC 9457) with a stable code.
import { type Static, Type } from 'typebox'
import { component, Href, openComponent, text } from './common.ts'

export const ParameterError = component('ParameterError', {
  parameter: Type.String(),
  detail: Type.String(),
})
export type ParameterError = Static<typeof ParameterError>

export const ProblemLinks = component(
  'ProblemLinks',
  {
    suggested: Type.Optional(Href),
    docs: Type.Optional(Href),
    openapi: Type.Optional(Href),
  },
  {
    description:
      'Where to continue: `suggested` is the URL that the request probably meant, `docs` and `openapi` list all paths',
  },
)
export type ProblemLinks = Static<typeof ProblemLinks>

export const ProblemBody = openComponent('Problem', {
  type: text('URL of a page that explains the code'),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  code: Type.String(),
  requestId: Type.String(),
  errors: Type.Optional(Type.Array(ParameterError)),
  links: Type.Optional(ProblemLinks),
})
export type ProblemBody = Static<typeof ProblemBody>
