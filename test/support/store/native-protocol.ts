// A minimal client of ClickHouse's native protocol: it logs in and sends one statement.
import { connect } from 'node:net'

const number = (value: number): Buffer => {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  return Buffer.from([...bytes, rest])
}

const text = (value: string): Buffer =>
  Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(value)])

/** An old revision without client information, settings and parameters in a query. */
const REVISION = 54_000

const hello = ({ username, password }: { username: string; password: string }): Buffer =>
  Buffer.concat([
    number(0),
    text('test'),
    number(20),
    number(1),
    number(REVISION),
    text(''),
    text(username),
    text(password),
  ])

const statement = (sql: string): Buffer =>
  Buffer.concat([
    number(1),
    text(''),
    text(''),
    number(2),
    number(0),
    text(sql),
    // An empty block ends the data of the statement.
    number(2),
    text(''),
    Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0]),
    number(0),
    number(0),
  ])

const QUIET_MS = 500

export type NativeQuery = { port: number; username: string; password: string; sql: string }

/** All bytes of the response as Latin-1, or the error code of the connection. */
export const queryNatively = ({ port, sql, ...user }: NativeQuery): Promise<string> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    const end = () => {
      socket.destroy()
      resolve(answer)
    }
    let timer = setTimeout(end, QUIET_MS * 4)
    let isLoggedIn = false
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
      clearTimeout(timer)
      timer = setTimeout(end, QUIET_MS)
      // The first packet is 0 if the login was accepted.
      if (!isLoggedIn && bytes[0] === 0) socket.write(statement(sql))
      isLoggedIn = true
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      answer += error.code ?? error.message
    })
    socket.on('close', () => {
      clearTimeout(timer)
      end()
    })
    socket.write(hello(user))
  })
