// Types of negotiator 1: those of DefinitelyTyped are of version 0.6, which has no preferred codings.
declare module 'negotiator' {
  export class Negotiator {
    constructor(request: { headers: { accept?: string; 'accept-encoding'?: string } })
    mediaType(offers: readonly string[]): string | undefined
    encoding(
      offers: readonly string[],
      options?: { preferred: readonly string[] },
    ): string | undefined
  }
}
