// Schema of error bodies: problem details (RFC 9457) with a stable code.
import { type Static, Type } from 'typebox'

export const ParameterError = Type.Object({ parameter: Type.String(), detail: Type.String() })
export type ParameterError = Static<typeof ParameterError>

export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'URL of a page that explains the code' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    code: Type.String(),
    requestId: Type.String(),
    errors: Type.Optional(Type.Array(ParameterError)),
  },
  { additionalProperties: true },
)
export type ProblemBody = Static<typeof ProblemBody>
