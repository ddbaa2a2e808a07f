// Schema of error bodies: problem details (RFC 9457) with a stable code.
import { type Static, Type } from 'typebox'
import { Href } from './common.ts'

export const ParameterError = Type.Object(
  { parameter: Type.String(), detail: Type.String() },
  { title: 'ParameterError' },
)
export type ParameterError = Static<typeof ParameterError>

export const ProblemLinks = Type.Object(
  {
    suggested: Type.Optional(Href),
    docs: Type.Optional(Href),
    openapi: Type.Optional(Href),
  },
  {
    title: 'ProblemLinks',
    description:
      'Where to continue: `suggested` is the URL that the request probably meant, `docs` and `openapi` list all paths',
  },
)
export type ProblemLinks = Static<typeof ProblemLinks>

export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'URL of a page that explains the code' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    requestId: Type.String(),
    errors: Type.Optional(Type.Array(ParameterError)),
    links: Type.Optional(ProblemLinks),
  },
  { title: 'Problem', additionalProperties: true },
)
export type ProblemBody = Static<typeof ProblemBody>
