// Calls functions of shared libraries. The only importer of `ffi-rs`.
import { existsSync } from 'node:fs'
import { DataType, isNullPointer, type JsExternal, load, open, restorePointer } from 'ffi-rs'

/** Memory of the library; only `readCString` reads it. */
export type Pointer = JsExternal
type Parameter = { type: DataType; value: unknown }
type Call = { library: string; function: string; parameters: readonly Parameter[] }

export const int32 = (value: number): Parameter => ({ type: DataType.I32, value })
export const int64 = (value: number): Parameter => ({ type: DataType.I64, value })
export const bytes = (value: Buffer): Parameter => ({ type: DataType.U8Array, value })
export const text = (value: string): Parameter => ({ type: DataType.String, value })
export const texts = (value: readonly string[]): Parameter => ({
  type: DataType.StringArray,
  value,
})
export const pointer = (value: Pointer): Parameter => ({ type: DataType.External, value })

export const openLibrary = (library: string, path: string): void => open({ library, path })

/** The C library, once it is open. */
export const C_LIBRARY = 'libc'

const cLibraryPath = (): string => {
  if (process.platform === 'darwin') return 'libSystem.B.dylib'
  // The C library of Alpine has another name.
  return existsSync('/etc/alpine-release') ? 'libc.so' : 'libc.so.6'
}

export const openCLibrary = (): void => openLibrary(C_LIBRARY, cLibraryPath())

const prepared = ({ library, function: funcName, parameters }: Call) => ({
  library,
  funcName,
  paramsType: parameters.map(({ type }) => type as DataType.I32),
  paramsValue: parameters.map(({ value }) => value),
})

export const callForInt32 = (call: Call): number =>
  Number(load({ ...prepared(call), retType: DataType.I32 }))

export const callForInt64 = (call: Call): number =>
  Number(load({ ...prepared(call), retType: DataType.I64 }))

/** Undefined for the null pointer. */
export const callForPointer = (call: Call): Pointer | undefined => {
  const result: JsExternal = load({ ...prepared(call), retType: DataType.External })
  return isNullPointer(result) ? undefined : result
}

/** Like `callForPointer`, but in a separate thread, for a long call. */
export const callInThread = async (call: Call): Promise<Pointer | undefined> => {
  const options = { ...prepared(call), retType: DataType.External, runInNewThread: true } as const
  const result: JsExternal = await load(options)
  return isNullPointer(result) ? undefined : result
}

/** The C string at an address. */
export const readCString = (address: Pointer): string => {
  const [found] = restorePointer<DataType.String>({
    retType: [DataType.String],
    paramsValue: [address],
  })
  return found ?? ''
}
