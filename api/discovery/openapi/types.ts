// Types for the part of OpenAPI 3.1 that this API uses.

export type JsonSchema = { readonly [keyword: string]: unknown }

export type ParameterObject = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description: string
  style?: 'form'
  explode?: boolean
  schema: JsonSchema
  example?: unknown
}

export type MediaType = {
  schema: JsonSchema | Reference
  example?: unknown
  examples?: Readonly<Record<string, { summary: string; value: unknown }>>
}

export type Reference = { $ref: string }

export type ResponseObject = {
  description: string
  headers?: Readonly<Record<string, Reference>>
  content?: Readonly<Record<string, MediaType>>
}

export type OperationObject = {
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  parameters: readonly ParameterObject[]
  responses: Readonly<Record<string, ResponseObject | Reference>>
  security: readonly Readonly<Record<string, readonly string[]>>[]
}

export type OpenApi = {
  openapi: '3.1.0'
  info: Readonly<Record<string, unknown>> & { title: string; version: string; description: string }
  servers: readonly { url: string; description: string }[]
  externalDocs: { url: string; description: string }
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, { get: OperationObject }>>
  components: {
    schemas: Readonly<Record<string, JsonSchema>>
    responses: Readonly<Record<string, ResponseObject>>
    headers: Readonly<Record<string, { description: string; schema: JsonSchema }>>
    securitySchemes?: Readonly<Record<string, JsonSchema>>
  }
}
