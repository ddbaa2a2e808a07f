// Generated from infra/base/proof/verify-from-api.ts by `npm run build`.
var oa = Object.create
var Dt = Object.defineProperty
var ia = Object.getOwnPropertyDescriptor
var sa = Object.getOwnPropertyNames
var aa = Object.getPrototypeOf,
  da = Object.prototype.hasOwnProperty
var fa = (e, t, n) => () => {
  if (n) throw n[0]
  try {
    return (e && (t = e((e = 0))), t)
  } catch (o) {
    throw ((n = [o]), o)
  }
}
var W = (e, t) => () => {
    try {
      return (t || e((t = { exports: {} }).exports, t), t.exports)
    } catch (n) {
      throw ((t = 0), n)
    }
  },
  ca = (e, t) => {
    for (var n in t) Dt(e, n, { get: t[n], enumerable: !0 })
  },
  go = (e, t, n, o) => {
    if ((t && typeof t == 'object') || typeof t == 'function')
      for (const r of sa(t))
        !da.call(e, r) &&
          r !== n &&
          Dt(e, r, { get: () => t[r], enumerable: !(o = ia(t, r)) || o.enumerable })
    return e
  }
var oe = (e, t, n) => (
    (n = e != null ? oa(aa(e)) : {}),
    go(t || !e || !e.__esModule ? Dt(n, 'default', { value: e, enumerable: !0 }) : n, e)
  ),
  ua = (e) => go(Dt({}, '__esModule', { value: !0 }), e)
var bo = W((Jt) => {
  Object.defineProperty(Jt, '__esModule', { value: !0 })
  Jt.toAscii = la
  Jt.fromAscii = ha
  function la(e) {
    return Uint8Array.from(
      ((n) =>
        n.split('').map((o) => {
          const r = o.charCodeAt(0)
          if (r < 32 || r > 126)
            throw new Error(`Cannot encode character that is out of printable ASCII range: ${r}`)
          return r
        }))(e),
    )
  }
  function ha(e) {
    return ((n) =>
      n.map((o) => {
        if (o < 32 || o > 126)
          throw new Error(`Cannot decode character that is out of printable ASCII range: ${o}`)
        return String.fromCharCode(o)
      }))(Array.from(e)).join('')
  }
})
var wo = W((Mt) => {
  Mt.byteLength = ya
  Mt.toByteArray = xa
  Mt.fromByteArray = Sa
  var ke = [],
    he = [],
    pa = typeof Uint8Array < 'u' ? Uint8Array : Array,
    wn = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (Ke = 0, So = wn.length; Ke < So; ++Ke) (ke[Ke] = wn[Ke]), (he[wn.charCodeAt(Ke)] = Ke)
  var Ke, So
  he[45] = 62
  he[95] = 63
  function Bo(e) {
    var t = e.length
    if (t % 4 > 0) throw new Error('Invalid string. Length must be a multiple of 4')
    var n = e.indexOf('=')
    n === -1 && (n = t)
    var o = n === t ? 0 : 4 - (n % 4)
    return [n, o]
  }
  function ya(e) {
    var t = Bo(e),
      n = t[0],
      o = t[1]
    return ((n + o) * 3) / 4 - o
  }
  function ma(e, t, n) {
    return ((t + n) * 3) / 4 - n
  }
  function xa(e) {
    var t,
      n = Bo(e),
      o = n[0],
      r = n[1],
      i = new pa(ma(e, o, r)),
      s = 0,
      a = r > 0 ? o - 4 : o,
      d
    for (d = 0; d < a; d += 4)
      (t =
        (he[e.charCodeAt(d)] << 18) |
        (he[e.charCodeAt(d + 1)] << 12) |
        (he[e.charCodeAt(d + 2)] << 6) |
        he[e.charCodeAt(d + 3)]),
        (i[s++] = (t >> 16) & 255),
        (i[s++] = (t >> 8) & 255),
        (i[s++] = t & 255)
    return (
      r === 2 &&
        ((t = (he[e.charCodeAt(d)] << 2) | (he[e.charCodeAt(d + 1)] >> 4)), (i[s++] = t & 255)),
      r === 1 &&
        ((t =
          (he[e.charCodeAt(d)] << 10) |
          (he[e.charCodeAt(d + 1)] << 4) |
          (he[e.charCodeAt(d + 2)] >> 2)),
        (i[s++] = (t >> 8) & 255),
        (i[s++] = t & 255)),
      i
    )
  }
  function ga(e) {
    return ke[(e >> 18) & 63] + ke[(e >> 12) & 63] + ke[(e >> 6) & 63] + ke[e & 63]
  }
  function ba(e, t, n) {
    for (var o, r = [], i = t; i < n; i += 3)
      (o = ((e[i] << 16) & 16711680) + ((e[i + 1] << 8) & 65280) + (e[i + 2] & 255)), r.push(ga(o))
    return r.join('')
  }
  function Sa(e) {
    for (var t, n = e.length, o = n % 3, r = [], i = 16383, s = 0, a = n - o; s < a; s += i)
      r.push(ba(e, s, s + i > a ? a : s + i))
    return (
      o === 1
        ? ((t = e[n - 1]), r.push(ke[t >> 2] + ke[(t << 4) & 63] + '=='))
        : o === 2 &&
          ((t = (e[n - 2] << 8) + e[n - 1]),
          r.push(ke[t >> 10] + ke[(t >> 4) & 63] + ke[(t << 2) & 63] + '=')),
      r.join('')
    )
  }
})
var bt = W((kn) => {
  Object.defineProperty(kn, '__esModule', { value: !0 })
  kn.fixUint8Array = wa
  function Ba(e) {
    return e.buffer instanceof ArrayBuffer
  }
  function wa(e) {
    if (Ba(e)) return e
    const t = new ArrayBuffer(e.byteLength),
      n = new Uint8Array(t)
    return (n.set(e), n)
  }
})
var Eo = W((Ee) => {
  var ka =
      (Ee && Ee.__createBinding) ||
      (Object.create
        ? (e, t, n, o) => {
            o === void 0 && (o = n)
            var r = Object.getOwnPropertyDescriptor(t, n)
            ;(!r || ('get' in r ? !t.__esModule : r.writable || r.configurable)) &&
              (r = { enumerable: !0, get: () => t[n] }),
              Object.defineProperty(e, o, r)
          }
        : (e, t, n, o) => {
            o === void 0 && (o = n), (e[o] = t[n])
          }),
    Ea =
      (Ee && Ee.__setModuleDefault) ||
      (Object.create
        ? (e, t) => {
            Object.defineProperty(e, 'default', { enumerable: !0, value: t })
          }
        : (e, t) => {
            e.default = t
          }),
    Ia =
      (Ee && Ee.__importStar) ||
      (() => {
        var e = (t) => (
          (e =
            Object.getOwnPropertyNames ||
            ((n) => {
              var o = []
              for (var r in n) Object.hasOwn(n, r) && (o[o.length] = r)
              return o
            })),
          e(t)
        )
        return (t) => {
          if (t && t.__esModule) return t
          var n = {}
          if (t != null)
            for (var o = e(t), r = 0; r < o.length; r++) o[r] !== 'default' && ka(n, t, o[r])
          return (Ea(n, t), n)
        }
      })()
  Object.defineProperty(Ee, '__esModule', { value: !0 })
  Ee.toBase64 = Oa
  Ee.fromBase64 = Pa
  var ko = Ia(wo()),
    Aa = bt()
  function Oa(e) {
    return ko.fromByteArray(e)
  }
  function Pa(e) {
    if (!e.match(/^[a-zA-Z0-9+/]*={0,2}$/)) throw new Error('Invalid base64 string format')
    return (0, Aa.fixUint8Array)(ko.toByteArray(e))
  }
})
var Zo = {}
ca(Zo, {
  base16: () => Uo,
  base32: () => Ho,
  base32crockford: () => Ra,
  base32hex: () => Na,
  base32hexnopad: () => Ta,
  base32nopad: () => va,
  base58: () => Bt,
  base58check: () => La,
  base58flickr: () => Ca,
  base58xmr: () => Jo,
  base58xrp: () => Fa,
  base64: () => Lo,
  base64nopad: () => Ua,
  base64url: () => Do,
  base64urlnopad: () => Ha,
  bech32: () => Da,
  bech32m: () => Ja,
  bytes: () => Ga,
  bytesToString: () => Ko,
  createBase58check: () => Mo,
  hex: () => Go,
  str: () => Va,
  stringToBytes: () => Wo,
  utf8: () => Vo,
  utils: () => _a,
})
function We(e) {
  return e instanceof Uint8Array || (ArrayBuffer.isView(e) && e.constructor.name === 'Uint8Array')
}
function An(e) {
  if (!We(e)) throw new Error('Uint8Array expected')
}
function _o(e, t) {
  return Array.isArray(t)
    ? t.length === 0
      ? !0
      : e
        ? t.every((n) => typeof n == 'string')
        : t.every((n) => Number.isSafeInteger(n))
    : !1
}
function On(e) {
  if (typeof e != 'function') throw new Error('function expected')
  return !0
}
function Ue(e, t) {
  if (typeof t != 'string') throw new Error(`${e}: string expected`)
  return !0
}
function nt(e) {
  if (!Number.isSafeInteger(e)) throw new Error(`invalid integer: ${e}`)
}
function Vt(e) {
  if (!Array.isArray(e)) throw new Error('array expected')
}
function Gt(e, t) {
  if (!_o(!0, t)) throw new Error(`${e}: array of strings expected`)
}
function Pn(e, t) {
  if (!_o(!1, t)) throw new Error(`${e}: array of numbers expected`)
}
function ie(...e) {
  const t = (i) => i,
    n = (i, s) => (a) => i(s(a)),
    o = e.map((i) => i.encode).reduceRight(n, t),
    r = e.map((i) => i.decode).reduce(n, t)
  return { encode: o, decode: r }
}
function fe(e) {
  const t = typeof e == 'string' ? e.split('') : e,
    n = t.length
  Gt('alphabet', t)
  const o = new Map(t.map((r, i) => [r, i]))
  return {
    encode: (r) => (
      Vt(r),
      r.map((i) => {
        if (!Number.isSafeInteger(i) || i < 0 || i >= n)
          throw new Error(`alphabet.encode: digit index outside alphabet "${i}". Allowed: ${e}`)
        return t[i]
      })
    ),
    decode: (r) => (
      Vt(r),
      r.map((i) => {
        Ue('alphabet.decode', i)
        const s = o.get(i)
        if (s === void 0) throw new Error(`Unknown letter: "${i}". Allowed: ${e}`)
        return s
      })
    ),
  }
}
function ce(e = '') {
  return (
    Ue('join', e),
    {
      encode: (t) => (Gt('join.decode', t), t.join(e)),
      decode: (t) => (Ue('join.decode', t), t.split(e)),
    }
  )
}
function wt(e, t = '=') {
  return (
    nt(e),
    Ue('padding', t),
    {
      encode(n) {
        for (Gt('padding.encode', n); (n.length * e) % 8; ) n.push(t)
        return n
      },
      decode(n) {
        Gt('padding.decode', n)
        let o = n.length
        if ((o * e) % 8)
          throw new Error('padding: invalid, string should have whole number of bytes')
        for (; o > 0 && n[o - 1] === t; o--)
          if (((o - 1) * e) % 8 === 0)
            throw new Error('padding: invalid, string has too much padding')
        return n.slice(0, o)
      },
    }
  )
}
function vo(e) {
  return (On(e), { encode: (t) => t, decode: (t) => e(t) })
}
function En(e, t, n) {
  if (t < 2) throw new Error(`convertRadix: invalid from=${t}, base cannot be less than 2`)
  if (n < 2) throw new Error(`convertRadix: invalid to=${n}, base cannot be less than 2`)
  if ((Vt(e), !e.length)) return []
  let o = 0,
    r = [],
    i = Array.from(e, (a) => {
      if ((nt(a), a < 0 || a >= t)) throw new Error(`invalid integer: ${a}`)
      return a
    }),
    s = i.length
  for (;;) {
    let a = 0,
      d = !0
    for (let f = o; f < s; f++) {
      const l = i[f],
        p = t * a,
        y = p + l
      if (!Number.isSafeInteger(y) || p / t !== a || y - l !== p)
        throw new Error('convertRadix: carry overflow')
      const x = y / n
      a = y % n
      const B = Math.floor(x)
      if (((i[f] = B), !Number.isSafeInteger(B) || B * n + a !== y))
        throw new Error('convertRadix: carry overflow')
      if (d) B ? (d = !1) : (o = f)
      else continue
    }
    if ((r.push(a), d)) break
  }
  for (let a = 0; a < e.length - 1 && e[a] === 0; a++) r.push(0)
  return r.reverse()
}
function Kt(e, t, n, o) {
  if ((Vt(e), t <= 0 || t > 32)) throw new Error(`convertRadix2: wrong from=${t}`)
  if (n <= 0 || n > 32) throw new Error(`convertRadix2: wrong to=${n}`)
  if (qt(t, n) > 32)
    throw new Error(`convertRadix2: carry overflow from=${t} to=${n} carryBits=${qt(t, n)}`)
  let r = 0,
    i = 0,
    s = $t[t],
    a = $t[n] - 1,
    d = []
  for (const f of e) {
    if ((nt(f), f >= s)) throw new Error(`convertRadix2: invalid data word=${f} from=${t}`)
    if (((r = (r << t) | f), i + t > 32))
      throw new Error(`convertRadix2: carry overflow pos=${i} from=${t}`)
    for (i += t; i >= n; i -= n) d.push(((r >> (i - n)) & a) >>> 0)
    const l = $t[i]
    if (l === void 0) throw new Error('invalid carry')
    r &= l - 1
  }
  if (((r = (r << (n - i)) & a), !o && i >= t)) throw new Error('Excess padding')
  if (!o && r > 0) throw new Error(`Non-zero padding: ${r}`)
  return (o && i > 0 && d.push(r >>> 0), d)
}
function To(e) {
  nt(e)
  const t = 2 ** 8
  return {
    encode: (n) => {
      if (!We(n)) throw new Error('radix.encode input should be Uint8Array')
      return En(Array.from(n), t, e)
    },
    decode: (n) => (Pn('radix.decode', n), Uint8Array.from(En(n, e, t))),
  }
}
function le(e, t = !1) {
  if ((nt(e), e <= 0 || e > 32)) throw new Error('radix2: bits should be in (0..32]')
  if (qt(8, e) > 32 || qt(e, 8) > 32) throw new Error('radix2: carry overflow')
  return {
    encode: (n) => {
      if (!We(n)) throw new Error('radix2.encode input should be Uint8Array')
      return Kt(Array.from(n), 8, e, !t)
    },
    decode: (n) => (Pn('radix2.decode', n), Uint8Array.from(Kt(n, e, 8, t))),
  }
}
function Io(e) {
  return (
    On(e),
    (...t) => {
      try {
        return e.apply(null, t)
      } catch {}
    }
  )
}
function Ro(e, t) {
  return (
    nt(e),
    On(t),
    {
      encode(n) {
        if (!We(n)) throw new Error('checksum.encode: input should be Uint8Array')
        const o = t(n).slice(0, e),
          r = new Uint8Array(n.length + e)
        return (r.set(n), r.set(o, n.length), r)
      },
      decode(n) {
        if (!We(n)) throw new Error('checksum.decode: input should be Uint8Array')
        const o = n.slice(0, -e),
          r = n.slice(-e),
          i = t(o).slice(0, e)
        for (let s = 0; s < e; s++) if (i[s] !== r[s]) throw new Error('Invalid checksum')
        return o
      },
    }
  )
}
function St(e) {
  let t = e >> 25,
    n = (e & 33554431) << 5
  for (let o = 0; o < Oo.length; o++) ((t >> o) & 1) === 1 && (n ^= Oo[o])
  return n
}
function Po(e, t, n = 1) {
  let o = e.length,
    r = 1
  for (let i = 0; i < o; i++) {
    const s = e.charCodeAt(i)
    if (s < 33 || s > 126) throw new Error(`Invalid prefix (${e})`)
    r = St(r) ^ (s >> 5)
  }
  r = St(r)
  for (let i = 0; i < o; i++) r = St(r) ^ (e.charCodeAt(i) & 31)
  for (const i of t) r = St(r) ^ i
  for (let i = 0; i < 6; i++) r = St(r)
  return ((r ^= n), In.encode(Kt([r % $t[30]], 30, 5, !1)))
}
function $o(e) {
  const t = e === 'bech32' ? 1 : 734539939,
    n = le(5),
    o = n.decode,
    r = n.encode,
    i = Io(o)
  function s(p, y, x = 90) {
    Ue('bech32.encode prefix', p), We(y) && (y = Array.from(y)), Pn('bech32.encode', y)
    const B = p.length
    if (B === 0) throw new TypeError(`Invalid prefix length ${B}`)
    const g = B + 7 + y.length
    if (x !== !1 && g > x) throw new TypeError(`Length ${g} exceeds limit ${x}`)
    const P = p.toLowerCase(),
      H = Po(P, y, t)
    return `${P}1${In.encode(y)}${H}`
  }
  function a(p, y = 90) {
    Ue('bech32.decode input', p)
    const x = p.length
    if (x < 8 || (y !== !1 && x > y))
      throw new TypeError(`invalid string length: ${x} (${p}). Expected (8..${y})`)
    const B = p.toLowerCase()
    if (p !== B && p !== p.toUpperCase()) throw new Error('String must be lowercase or uppercase')
    const g = B.lastIndexOf('1')
    if (g === 0 || g === -1)
      throw new Error('Letter "1" must be present between prefix and data only')
    const P = B.slice(0, g),
      H = B.slice(g + 1)
    if (H.length < 6) throw new Error('Data must be at least 6 characters long')
    const N = In.decode(H).slice(0, -6),
      m = Po(P, N, t)
    if (!H.endsWith(m)) throw new Error(`Invalid checksum in ${p}: expected "${m}"`)
    return { prefix: P, words: N }
  }
  const d = Io(a)
  function f(p) {
    const { prefix: y, words: x } = a(p, !1)
    return { prefix: y, words: x, bytes: o(x) }
  }
  function l(p, y) {
    return s(p, r(y))
  }
  return {
    encode: s,
    decode: a,
    encodeFromBytes: l,
    decodeToBytes: f,
    decodeUnsafe: d,
    fromWords: o,
    fromWordsUnsafe: i,
    toWords: r,
  }
}
var No,
  qt,
  $t,
  _a,
  Uo,
  Ho,
  va,
  Na,
  Ta,
  Ra,
  Co,
  Fo,
  Lo,
  Ua,
  Do,
  Ha,
  _n,
  Bt,
  Ca,
  Fa,
  Ao,
  Jo,
  Mo,
  La,
  In,
  Oo,
  Da,
  Ja,
  Vo,
  Ma,
  $a,
  Go,
  Wt,
  qo,
  Ko,
  Va,
  Wo,
  Ga,
  zo = fa(() => {
    ;(No = (e, t) => (t === 0 ? e : No(t, e % t))),
      (qt = (e, t) => e + (t - No(e, t))),
      ($t = (() => {
        const e = []
        for (let t = 0; t < 40; t++) e.push(2 ** t)
        return e
      })())
    ;(_a = {
      alphabet: fe,
      chain: ie,
      checksum: Ro,
      convertRadix: En,
      convertRadix2: Kt,
      radix: To,
      radix2: le,
      join: ce,
      padding: wt,
    }),
      (Uo = ie(le(4), fe('0123456789ABCDEF'), ce(''))),
      (Ho = ie(le(5), fe('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'), wt(5), ce(''))),
      (va = ie(le(5), fe('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'), ce(''))),
      (Na = ie(le(5), fe('0123456789ABCDEFGHIJKLMNOPQRSTUV'), wt(5), ce(''))),
      (Ta = ie(le(5), fe('0123456789ABCDEFGHIJKLMNOPQRSTUV'), ce(''))),
      (Ra = ie(
        le(5),
        fe('0123456789ABCDEFGHJKMNPQRSTVWXYZ'),
        ce(''),
        vo((e) => e.toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1')),
      )),
      (Co =
        typeof Uint8Array.from([]).toBase64 == 'function' &&
        typeof Uint8Array.fromBase64 == 'function'),
      (Fo = (e, t) => {
        Ue('base64', e)
        const n = t ? /^[A-Za-z0-9=_-]+$/ : /^[A-Za-z0-9=+/]+$/,
          o = t ? 'base64url' : 'base64'
        if (e.length > 0 && !n.test(e)) throw new Error('invalid base64')
        return Uint8Array.fromBase64(e, { alphabet: o, lastChunkHandling: 'strict' })
      }),
      (Lo = Co
        ? {
            encode(e) {
              return (An(e), e.toBase64())
            },
            decode(e) {
              return Fo(e, !1)
            },
          }
        : ie(
            le(6),
            fe('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
            wt(6),
            ce(''),
          )),
      (Ua = ie(
        le(6),
        fe('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
        ce(''),
      )),
      (Do = Co
        ? {
            encode(e) {
              return (An(e), e.toBase64({ alphabet: 'base64url' }))
            },
            decode(e) {
              return Fo(e, !0)
            },
          }
        : ie(
            le(6),
            fe('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'),
            wt(6),
            ce(''),
          )),
      (Ha = ie(
        le(6),
        fe('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'),
        ce(''),
      )),
      (_n = (e) => ie(To(58), fe(e), ce(''))),
      (Bt = _n('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')),
      (Ca = _n('123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ')),
      (Fa = _n('rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz')),
      (Ao = [0, 2, 3, 5, 6, 7, 9, 10, 11]),
      (Jo = {
        encode(e) {
          let t = ''
          for (let n = 0; n < e.length; n += 8) {
            const o = e.subarray(n, n + 8)
            t += Bt.encode(o).padStart(Ao[o.length], '1')
          }
          return t
        },
        decode(e) {
          let t = []
          for (let n = 0; n < e.length; n += 11) {
            const o = e.slice(n, n + 11),
              r = Ao.indexOf(o.length),
              i = Bt.decode(o)
            for (let s = 0; s < i.length - r; s++)
              if (i[s] !== 0) throw new Error('base58xmr: wrong padding')
            t = t.concat(Array.from(i.slice(i.length - r)))
          }
          return Uint8Array.from(t)
        },
      }),
      (Mo = (e) =>
        ie(
          Ro(4, (t) => e(e(t))),
          Bt,
        )),
      (La = Mo),
      (In = ie(fe('qpzry9x8gf2tvdw0s3jn54khce6mua7l'), ce(''))),
      (Oo = [996825010, 642813549, 513874426, 1027748829, 705979059])
    ;(Da = $o('bech32')),
      (Ja = $o('bech32m')),
      (Vo = {
        encode: (e) => new TextDecoder().decode(e),
        decode: (e) => new TextEncoder().encode(e),
      }),
      (Ma =
        typeof Uint8Array.from([]).toHex == 'function' && typeof Uint8Array.fromHex == 'function'),
      ($a = {
        encode(e) {
          return (An(e), e.toHex())
        },
        decode(e) {
          return (Ue('hex', e), Uint8Array.fromHex(e))
        },
      }),
      (Go = Ma
        ? $a
        : ie(
            le(4),
            fe('0123456789abcdef'),
            ce(''),
            vo((e) => {
              if (typeof e != 'string' || e.length % 2 !== 0)
                throw new TypeError(
                  `hex.decode: expected string, got ${typeof e} with length ${e.length}`,
                )
              return e.toLowerCase()
            }),
          )),
      (Wt = {
        utf8: Vo,
        hex: Go,
        base16: Uo,
        base32: Ho,
        base64: Lo,
        base64url: Do,
        base58: Bt,
        base58xmr: Jo,
      }),
      (qo =
        'Invalid encoding type. Available types: utf8, hex, base16, base32, base64, base64url, base58, base58xmr'),
      (Ko = (e, t) => {
        if (typeof e != 'string' || !Object.hasOwn(Wt, e)) throw new TypeError(qo)
        if (!We(t)) throw new TypeError('bytesToString() expects Uint8Array')
        return Wt[e].encode(t)
      }),
      (Va = Ko),
      (Wo = (e, t) => {
        if (!Object.hasOwn(Wt, e)) throw new TypeError(qo)
        if (typeof t != 'string') throw new TypeError('stringToBytes() expects string')
        return Wt[e].decode(t)
      }),
      (Ga = Wo)
  })
var Qo = W((kt) => {
  Object.defineProperty(kt, '__esModule', { value: !0 })
  kt.toBech32 = Yo
  kt.fromBech32 = Xo
  kt.normalizeBech32 = Wa
  var Zt = (zo(), ua(Zo)),
    qa = bt()
  function Yo(e, t, n) {
    return Zt.bech32.encode(e, Zt.bech32.toWords(t), n)
  }
  function Ka(e) {
    return e.indexOf('1') !== -1
  }
  function Xo(e, t = 1 / 0) {
    if (!Ka(e)) throw new Error('No bech32 separator found')
    const n = Zt.bech32.decode(e, t)
    return { prefix: n.prefix, data: (0, qa.fixUint8Array)(Zt.bech32.fromWords(n.words)) }
  }
  function Wa(e) {
    const { prefix: t, data: n } = Xo(e)
    return Yo(t, n)
  }
})
var jo = W((zt) => {
  Object.defineProperty(zt, '__esModule', { value: !0 })
  zt.toHex = Za
  zt.fromHex = za
  function Za(e) {
    let t = ''
    for (const n of e) t += ('0' + n.toString(16)).slice(-2)
    return t
  }
  function za(e) {
    if (e.length % 2 !== 0) throw new Error('hex string length must be a multiple of 2')
    const t = new Uint8Array(e.length / 2)
    for (let n = 0; n < t.length; n++) {
      const o = 2 * n,
        r = e.slice(o, o + 2)
      if (!r.match(/[0-9a-f]{2}/i)) throw new Error('hex string contains invalid characters')
      t[n] = parseInt(r, 16)
    }
    return t
  }
})
var ei = W((Yt) => {
  Object.defineProperty(Yt, '__esModule', { value: !0 })
  Yt.fromRfc3339 = Xa
  Yt.toRfc3339 = Qa
  var Ya = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?((?:[+-]\d{2}:\d{2})|Z)$/
  function rt(e, t = 2) {
    return e.toString().padStart(t, '0')
  }
  function Xa(e) {
    const t = Ya.exec(e)
    if (!t) throw new Error('Date string is not in RFC3339 format')
    let n = +t[1],
      o = +t[2],
      r = +t[3],
      i = +t[4],
      s = +t[5],
      a = +t[6],
      d = t[7] ? Math.floor(+t[7] * 1e3) : 0,
      f,
      l,
      p
    t[8] === 'Z'
      ? ((f = 1), (l = 0), (p = 0))
      : ((f = t[8].substring(0, 1) === '-' ? -1 : 1),
        (l = +t[8].substring(1, 3)),
        (p = +t[8].substring(4, 6)))
    const y = f * (l * 60 + p) * 60,
      x = new Date()
    return (
      x.setUTCFullYear(n, o - 1, r), x.setUTCHours(i, s, a, d), new Date(x.getTime() - y * 1e3)
    )
  }
  function Qa(e) {
    const t = e.getUTCFullYear(),
      n = rt(e.getUTCMonth() + 1),
      o = rt(e.getUTCDate()),
      r = rt(e.getUTCHours()),
      i = rt(e.getUTCMinutes()),
      s = rt(e.getUTCSeconds()),
      a = rt(e.getUTCMilliseconds(), 3)
    return `${t}-${n}-${o}T${r}:${i}:${s}.${a}Z`
  }
})
var ti = W((Xt) => {
  Object.defineProperty(Xt, '__esModule', { value: !0 })
  Xt.toUtf8 = ed
  Xt.fromUtf8 = td
  var ja = bt()
  function ed(e) {
    return (0, ja.fixUint8Array)(new TextEncoder().encode(e))
  }
  function td(e, t = !1) {
    const n = !t
    return new TextDecoder('utf-8', { fatal: n }).decode(e)
  }
})
var ot = W((T) => {
  Object.defineProperty(T, '__esModule', { value: !0 })
  T.toUtf8 =
    T.fromUtf8 =
    T.fixUint8Array =
    T.toRfc3339 =
    T.fromRfc3339 =
    T.toHex =
    T.fromHex =
    T.toBech32 =
    T.normalizeBech32 =
    T.fromBech32 =
    T.toBase64 =
    T.fromBase64 =
    T.toAscii =
    T.fromAscii =
      void 0
  var ni = bo()
  Object.defineProperty(T, 'fromAscii', { enumerable: !0, get: () => ni.fromAscii })
  Object.defineProperty(T, 'toAscii', { enumerable: !0, get: () => ni.toAscii })
  var ri = Eo()
  Object.defineProperty(T, 'fromBase64', { enumerable: !0, get: () => ri.fromBase64 })
  Object.defineProperty(T, 'toBase64', { enumerable: !0, get: () => ri.toBase64 })
  var vn = Qo()
  Object.defineProperty(T, 'fromBech32', { enumerable: !0, get: () => vn.fromBech32 })
  Object.defineProperty(T, 'normalizeBech32', { enumerable: !0, get: () => vn.normalizeBech32 })
  Object.defineProperty(T, 'toBech32', { enumerable: !0, get: () => vn.toBech32 })
  var oi = jo()
  Object.defineProperty(T, 'fromHex', { enumerable: !0, get: () => oi.fromHex })
  Object.defineProperty(T, 'toHex', { enumerable: !0, get: () => oi.toHex })
  var ii = ei()
  Object.defineProperty(T, 'fromRfc3339', { enumerable: !0, get: () => ii.fromRfc3339 })
  Object.defineProperty(T, 'toRfc3339', { enumerable: !0, get: () => ii.toRfc3339 })
  var nd = bt()
  Object.defineProperty(T, 'fixUint8Array', { enumerable: !0, get: () => nd.fixUint8Array })
  var si = ti()
  Object.defineProperty(T, 'fromUtf8', { enumerable: !0, get: () => si.fromUtf8 })
  Object.defineProperty(T, 'toUtf8', { enumerable: !0, get: () => si.toUtf8 })
})
var rs = W((Ut) => {
  Object.defineProperty(Ut, '__esModule', { value: !0 })
  Ut.utf8Length = Yd
  Ut.utf8Read = Xd
  Ut.utf8Write = Qd
  function Yd(e) {
    let t = 0,
      n = 0
    for (let o = 0; o < e.length; ++o)
      (n = e.charCodeAt(o)),
        n < 128
          ? (t += 1)
          : n < 2048
            ? (t += 2)
            : (n & 64512) === 55296 && (e.charCodeAt(o + 1) & 64512) === 56320
              ? (++o, (t += 4))
              : (t += 3)
    return t
  }
  function Xd(e, t, n) {
    if (n - t < 1) return ''
    let r = [],
      i = [],
      s = 0,
      a
    for (; t < n; )
      (a = e[t++]),
        a < 128
          ? (r[s++] = a)
          : a > 191 && a < 224
            ? (r[s++] = ((a & 31) << 6) | (e[t++] & 63))
            : a > 239 && a < 365
              ? ((a =
                  (((a & 7) << 18) | ((e[t++] & 63) << 12) | ((e[t++] & 63) << 6) | (e[t++] & 63)) -
                  65536),
                (r[s++] = 55296 + (a >> 10)),
                (r[s++] = 56320 + (a & 1023)))
              : (r[s++] = ((a & 15) << 12) | ((e[t++] & 63) << 6) | (e[t++] & 63)),
        s > 8191 && ((i || (i = [])).push(String.fromCharCode(...r)), (s = 0))
    return i
      ? (s && i.push(String.fromCharCode(...r.slice(0, s))), i.join(''))
      : String.fromCharCode(...r.slice(0, s))
  }
  function Qd(e, t, n) {
    let o = n,
      r,
      i
    for (let s = 0; s < e.length; ++s)
      (r = e.charCodeAt(s)),
        r < 128
          ? (t[n++] = r)
          : r < 2048
            ? ((t[n++] = (r >> 6) | 192), (t[n++] = (r & 63) | 128))
            : (r & 64512) === 55296 && ((i = e.charCodeAt(s + 1)) & 64512) === 56320
              ? ((r = 65536 + ((r & 1023) << 10) + (i & 1023)),
                ++s,
                (t[n++] = (r >> 18) | 240),
                (t[n++] = ((r >> 12) & 63) | 128),
                (t[n++] = ((r >> 6) & 63) | 128),
                (t[n++] = (r & 63) | 128))
              : ((t[n++] = (r >> 12) | 224),
                (t[n++] = ((r >> 6) & 63) | 128),
                (t[n++] = (r & 63) | 128))
    return n - o
  }
})
var as = W((ee) => {
  Object.defineProperty(ee, '__esModule', { value: !0 })
  ee.varint64read = jd
  ee.varint64write = ef
  ee.int64FromString = tf
  ee.int64ToString = nf
  ee.uInt64ToString = is
  ee.varint32write = of
  ee.varint32read = sf
  ee.zzEncode = af
  ee.zzDecode = df
  ee.readUInt32 = ff
  ee.readInt32 = cf
  ee.writeVarint32 = uf
  ee.writeVarint64 = lf
  ee.int64Length = hf
  ee.writeFixed32 = pf
  ee.writeByte = yf
  function jd() {
    let e = 0,
      t = 0
    for (let o = 0; o < 28; o += 7) {
      const r = this.buf[this.pos++]
      if (((e |= (r & 127) << o), (r & 128) == 0)) return (this.assertBounds(), [e, t])
    }
    const n = this.buf[this.pos++]
    if (((e |= (n & 15) << 28), (t = (n & 112) >> 4), (n & 128) == 0))
      return (this.assertBounds(), [e, t])
    for (let o = 3; o <= 31; o += 7) {
      const r = this.buf[this.pos++]
      if (((t |= (r & 127) << o), (r & 128) == 0)) return (this.assertBounds(), [e, t])
    }
    throw new Error('invalid varint')
  }
  function ef(e, t, n) {
    for (let i = 0; i < 28; i = i + 7) {
      const s = e >>> i,
        a = !(!(s >>> 7) && t == 0),
        d = (a ? s | 128 : s) & 255
      if ((n.push(d), !a)) return
    }
    const o = ((e >>> 28) & 15) | ((t & 7) << 4),
      r = t >> 3 != 0
    if ((n.push((r ? o | 128 : o) & 255), !!r)) {
      for (let i = 3; i < 31; i = i + 7) {
        const s = t >>> i,
          a = !!(s >>> 7),
          d = (a ? s | 128 : s) & 255
        if ((n.push(d), !a)) return
      }
      n.push((t >>> 31) & 1)
    }
  }
  var pn = 4294967296
  function tf(e) {
    const t = e[0] === '-'
    t && (e = e.slice(1))
    let n = 1e6,
      o = 0,
      r = 0
    function i(s, a) {
      const d = Number(e.slice(s, a))
      ;(r *= n), (o = o * n + d), o >= pn && ((r = r + ((o / pn) | 0)), (o = o % pn))
    }
    return (i(-24, -18), i(-18, -12), i(-12, -6), i(-6), t ? ss(o, r) : rr(o, r))
  }
  function nf(e, t) {
    let n = rr(e, t),
      o = n.hi & 2147483648
    o && (n = ss(n.lo, n.hi))
    const r = is(n.lo, n.hi)
    return o ? '-' + r : r
  }
  function is(e, t) {
    if ((({ lo: e, hi: t } = rf(e, t)), t <= 2097151)) return String(pn * t + e)
    let n = e & 16777215,
      o = ((e >>> 24) | (t << 8)) & 16777215,
      r = (t >> 16) & 65535,
      i = n + o * 6777216 + r * 6710656,
      s = o + r * 8147497,
      a = r * 2,
      d = 1e7
    return (
      i >= d && ((s += Math.floor(i / d)), (i %= d)),
      s >= d && ((a += Math.floor(s / d)), (s %= d)),
      a.toString() + os(s) + os(i)
    )
  }
  function rf(e, t) {
    return { lo: e >>> 0, hi: t >>> 0 }
  }
  function rr(e, t) {
    return { lo: e | 0, hi: t | 0 }
  }
  function ss(e, t) {
    return ((t = ~t), e ? (e = ~e + 1) : (t += 1), rr(e, t))
  }
  var os = (e) => {
    const t = String(e)
    return '0000000'.slice(t.length) + t
  }
  function of(e, t) {
    if (e >= 0) {
      for (; e > 127; ) t.push((e & 127) | 128), (e = e >>> 7)
      t.push(e)
    } else {
      for (let n = 0; n < 9; n++) t.push((e & 127) | 128), (e = e >> 7)
      t.push(1)
    }
  }
  function sf() {
    let e = this.buf[this.pos++],
      t = e & 127
    if ((e & 128) == 0) return (this.assertBounds(), t)
    if (((e = this.buf[this.pos++]), (t |= (e & 127) << 7), (e & 128) == 0))
      return (this.assertBounds(), t)
    if (((e = this.buf[this.pos++]), (t |= (e & 127) << 14), (e & 128) == 0))
      return (this.assertBounds(), t)
    if (((e = this.buf[this.pos++]), (t |= (e & 127) << 21), (e & 128) == 0))
      return (this.assertBounds(), t)
    ;(e = this.buf[this.pos++]), (t |= (e & 15) << 28)
    for (let n = 5; (e & 128) !== 0 && n < 10; n++) e = this.buf[this.pos++]
    if ((e & 128) != 0) throw new Error('invalid varint')
    return (this.assertBounds(), t >>> 0)
  }
  function af(e, t) {
    const n = t >> 31
    return ((t = (((t << 1) | (e >>> 31)) ^ n) >>> 0), (e = ((e << 1) ^ n) >>> 0), [e, t])
  }
  function df(e, t) {
    const n = -(e & 1)
    return ((e = (((e >>> 1) | (t << 31)) ^ n) >>> 0), (t = ((t >>> 1) ^ n) >>> 0), [e, t])
  }
  function ff(e, t) {
    return (e[t] | (e[t + 1] << 8) | (e[t + 2] << 16)) + e[t + 3] * 16777216
  }
  function cf(e, t) {
    return (e[t] | (e[t + 1] << 8) | (e[t + 2] << 16)) + (e[t + 3] << 24)
  }
  function uf(e, t, n) {
    for (; e > 127; ) (t[n++] = (e & 127) | 128), (e >>>= 7)
    t[n] = e
  }
  function lf(e, t, n) {
    for (; e.hi; )
      (t[n++] = (e.lo & 127) | 128), (e.lo = ((e.lo >>> 7) | (e.hi << 25)) >>> 0), (e.hi >>>= 7)
    for (; e.lo > 127; ) (t[n++] = (e.lo & 127) | 128), (e.lo = e.lo >>> 7)
    t[n++] = e.lo
  }
  function hf(e, t) {
    const n = e,
      o = ((e >>> 28) | (t << 4)) >>> 0,
      r = t >>> 24
    return r === 0
      ? o === 0
        ? n < 16384
          ? n < 128
            ? 1
            : 2
          : n < 2097152
            ? 3
            : 4
        : o < 16384
          ? o < 128
            ? 5
            : 6
          : o < 2097152
            ? 7
            : 8
      : r < 128
        ? 9
        : 10
  }
  function pf(e, t, n) {
    ;(t[n] = e & 255),
      (t[n + 1] = (e >>> 8) & 255),
      (t[n + 2] = (e >>> 16) & 255),
      (t[n + 3] = e >>> 24)
  }
  function yf(e, t, n) {
    t[n] = e & 255
  }
})
var pe = W((Me) => {
  Object.defineProperty(Me, '__esModule', { value: !0 })
  Me.BinaryWriter = Me.BinaryReader = Me.WireType = void 0
  var or = rs(),
    R = as(),
    ct
  ;((e) => {
    ;(e[(e.Varint = 0)] = 'Varint'),
      (e[(e.Fixed64 = 1)] = 'Fixed64'),
      (e[(e.Bytes = 2)] = 'Bytes'),
      (e[(e.Fixed32 = 5)] = 'Fixed32')
  })(ct || (Me.WireType = ct = {}))
  var ir = class {
    buf
    pos
    type
    len
    assertBounds() {
      if (this.pos > this.len) throw new RangeError('premature EOF')
    }
    constructor(t) {
      ;(this.buf = t ? new Uint8Array(t) : new Uint8Array(0)),
        (this.pos = 0),
        (this.type = 0),
        (this.len = this.buf.length)
    }
    tag() {
      const t = this.uint32(),
        n = t >>> 3,
        o = t & 7
      if (n <= 0 || o < 0 || o > 5)
        throw new Error('illegal tag: field no ' + n + ' wire type ' + o)
      return [n, o, t]
    }
    skip(t) {
      if (typeof t == 'number') {
        if (this.pos + t > this.len) throw ds(this, t)
        this.pos += t
      } else
        do if (this.pos >= this.len) throw ds(this)
        while (this.buf[this.pos++] & 128)
      return this
    }
    skipType(t) {
      switch (t) {
        case ct.Varint:
          this.skip()
          break
        case ct.Fixed64:
          this.skip(8)
          break
        case ct.Bytes:
          this.skip(this.uint32())
          break
        case 3:
          for (; (t = this.uint32() & 7) !== 4; ) this.skipType(t)
          break
        case ct.Fixed32:
          this.skip(4)
          break
        default:
          throw Error('invalid wire type ' + t + ' at offset ' + this.pos)
      }
      return this
    }
    uint32() {
      return R.varint32read.bind(this)()
    }
    int32() {
      return this.uint32() | 0
    }
    sint32() {
      const t = this.uint32()
      return t % 2 === 1 ? (t + 1) / -2 : t / 2
    }
    fixed32() {
      const t = (0, R.readUInt32)(this.buf, this.pos)
      return ((this.pos += 4), t)
    }
    sfixed32() {
      const t = (0, R.readInt32)(this.buf, this.pos)
      return ((this.pos += 4), t)
    }
    int64() {
      const [t, n] = R.varint64read.bind(this)()
      return BigInt((0, R.int64ToString)(t, n))
    }
    uint64() {
      const [t, n] = R.varint64read.bind(this)()
      return BigInt((0, R.uInt64ToString)(t, n))
    }
    sint64() {
      let [t, n] = R.varint64read.bind(this)()
      return (([t, n] = (0, R.zzDecode)(t, n)), BigInt((0, R.int64ToString)(t, n)))
    }
    fixed64() {
      const t = this.sfixed32(),
        n = this.sfixed32()
      return BigInt((0, R.uInt64ToString)(t, n))
    }
    sfixed64() {
      const t = this.sfixed32(),
        n = this.sfixed32()
      return BigInt((0, R.int64ToString)(t, n))
    }
    float() {
      throw new Error('float not supported')
    }
    double() {
      throw new Error('double not supported')
    }
    bool() {
      const [t, n] = R.varint64read.bind(this)()
      return t !== 0 || n !== 0
    }
    bytes() {
      const t = this.uint32(),
        n = this.pos
      return ((this.pos += t), this.assertBounds(), this.buf.subarray(n, n + t))
    }
    string() {
      const t = this.bytes()
      return (0, or.utf8Read)(t, 0, t.length)
    }
  }
  Me.BinaryReader = ir
  var je = class {
      fn
      len
      val
      next
      constructor(t, n, o) {
        ;(this.fn = t), (this.len = n), (this.val = o)
      }
      proceed(t, n) {
        this.fn && this.fn(this.val, t, n)
      }
    },
    sr = class {
      head
      tail
      len
      next
      constructor(t) {
        ;(this.head = t.head), (this.tail = t.tail), (this.len = t.len), (this.next = t.states)
      }
    },
    ar = class e {
      len = 0
      head
      tail
      states
      constructor() {
        ;(this.head = new je(null, 0, 0)), (this.tail = this.head), (this.states = null)
      }
      static create() {
        return new e()
      }
      static alloc(t) {
        return typeof Uint8Array < 'u'
          ? xf((n) => new Uint8Array(n), Uint8Array.prototype.subarray)(t)
          : new Array(t)
      }
      _push(t, n, o) {
        return ((this.tail = this.tail.next = new je(t, n, o)), (this.len += n), this)
      }
      finish() {
        let t = this.head.next,
          n = 0,
          o = e.alloc(this.len)
        for (; t; ) t.proceed(o, n), (n += t.len), (t = t.next)
        return o
      }
      fork() {
        return (
          (this.states = new sr(this)),
          (this.head = this.tail = new je(null, 0, 0)),
          (this.len = 0),
          this
        )
      }
      reset() {
        return (
          this.states
            ? ((this.head = this.states.head),
              (this.tail = this.states.tail),
              (this.len = this.states.len),
              (this.states = this.states.next))
            : ((this.head = this.tail = new je(null, 0, 0)), (this.len = 0)),
          this
        )
      }
      ldelim() {
        const t = this.head,
          n = this.tail,
          o = this.len
        return (
          this.reset().uint32(o),
          o && ((this.tail.next = t.next), (this.tail = n), (this.len += o)),
          this
        )
      }
      tag(t, n) {
        return this.uint32(((t << 3) | n) >>> 0)
      }
      uint32(t) {
        return (
          (this.len += (this.tail = this.tail.next =
            new je(
              R.writeVarint32,
              (t = t >>> 0) < 128 ? 1 : t < 16384 ? 2 : t < 2097152 ? 3 : t < 268435456 ? 4 : 5,
              t,
            )).len),
          this
        )
      }
      int32(t) {
        return t < 0
          ? this._push(R.writeVarint64, 10, (0, R.int64FromString)(t.toString()))
          : this.uint32(t)
      }
      sint32(t) {
        return this.uint32(((t << 1) ^ (t >> 31)) >>> 0)
      }
      int64(t) {
        const { lo: n, hi: o } = (0, R.int64FromString)(t.toString())
        return this._push(R.writeVarint64, (0, R.int64Length)(n, o), { lo: n, hi: o })
      }
      uint64 = e.prototype.int64
      sint64(t) {
        let { lo: n, hi: o } = (0, R.int64FromString)(t.toString())
        return (
          ([n, o] = (0, R.zzEncode)(n, o)),
          this._push(R.writeVarint64, (0, R.int64Length)(n, o), { lo: n, hi: o })
        )
      }
      fixed64(t) {
        const { lo: n, hi: o } = (0, R.int64FromString)(t.toString())
        return this._push(R.writeFixed32, 4, n)._push(R.writeFixed32, 4, o)
      }
      sfixed64 = e.prototype.fixed64
      bool(t) {
        return this._push(R.writeByte, 1, t ? 1 : 0)
      }
      fixed32(t) {
        return this._push(R.writeFixed32, 4, t >>> 0)
      }
      sfixed32 = e.prototype.fixed32
      float(t) {
        throw new Error('float not supported' + t)
      }
      double(t) {
        throw new Error('double not supported' + t)
      }
      bytes(t) {
        const n = t.length >>> 0
        return n ? this.uint32(n)._push(mf, n, t) : this._push(R.writeByte, 1, 0)
      }
      string(t) {
        const n = (0, or.utf8Length)(t)
        return n ? this.uint32(n)._push(or.utf8Write, n, t) : this._push(R.writeByte, 1, 0)
      }
    }
  Me.BinaryWriter = ar
  function mf(e, t, n) {
    if (typeof Uint8Array < 'u') t.set(e, n)
    else for (let o = 0; o < e.length; ++o) t[n + o] = e[o]
  }
  function xf(e, t, n) {
    let o = n || 8192,
      r = o >>> 1,
      i = null,
      s = o
    return (d) => {
      if (d < 1 || d > r) return e(d)
      s + d > o && ((i = e(o)), (s = 0))
      const f = t.call(i, s, (s += d))
      return (s & 7 && (s = (s | 7) + 1), f)
    }
  }
  function ds(e, t) {
    return RangeError('index out of range: ' + e.pos + ' + ' + (t || 1) + ' > ' + e.len)
  }
})
var $e = W((se) => {
  Object.defineProperty(se, '__esModule', { value: !0 })
  se.setPaginationParams = void 0
  se.bytesFromBase64 = bf
  se.base64FromBytes = Bf
  se.omitDefault = wf
  se.toDuration = kf
  se.fromDuration = Ef
  se.isSet = dr
  se.isObject = If
  se.isRpc = Of
  se.toTimestamp = fr
  se.fromTimestamp = Pf
  se.fromJsonTimestamp = vf
  var ut = (() => {
      if (typeof ut < 'u') return ut
      if (typeof self < 'u') return self
      if (typeof window < 'u') return window
      if (typeof global < 'u') return global
      throw 'Unable to locate global object'
    })(),
    gf = ut.atob || ((e) => ut.Buffer.from(e, 'base64').toString('binary'))
  function bf(e) {
    const t = gf(e),
      n = new Uint8Array(t.length)
    for (let o = 0; o < t.length; ++o) n[o] = t.charCodeAt(o)
    return n
  }
  var Sf = ut.btoa || ((e) => ut.Buffer.from(e, 'binary').toString('base64'))
  function Bf(e) {
    const t = []
    return (
      e.forEach((n) => {
        t.push(String.fromCharCode(n))
      }),
      Sf(t.join(''))
    )
  }
  function wf(e) {
    if (typeof e == 'string') return e === '' ? void 0 : e
    if (typeof e == 'number') return e === 0 ? void 0 : e
    if (typeof e == 'boolean') return e === !1 ? void 0 : e
    if (typeof e == 'bigint') return e === BigInt(0) ? void 0 : e
    throw new Error(`Got unsupported type ${typeof e}`)
  }
  function kf(e) {
    return { seconds: BigInt(Math.floor(parseInt(e) / 1e9)), nanos: parseInt(e) % 1e9 }
  }
  function Ef(e) {
    return (parseInt(e.seconds.toString()) * 1e9 + e.nanos).toString()
  }
  function dr(e) {
    return e != null
  }
  function If(e) {
    return typeof e == 'object' && e !== null
  }
  var Af = (e, t) => (
    t &&
      (typeof t?.countTotal < 'u' && (e.params['pagination.count_total'] = t.countTotal),
      typeof t?.key < 'u' && (e.params['pagination.key'] = Buffer.from(t.key).toString('base64')),
      typeof t?.limit < 'u' && (e.params['pagination.limit'] = t.limit.toString()),
      typeof t?.offset < 'u' && (e.params['pagination.offset'] = t.offset.toString()),
      typeof t?.reverse < 'u' && (e.params['pagination.reverse'] = t.reverse)),
    e
  )
  se.setPaginationParams = Af
  function Of(e) {
    return e != null && typeof e.request == 'function'
  }
  function fr(e) {
    const t = Nf(e.getTime() / 1e3),
      n = (e.getTime() % 1e3) * 1e6
    return { seconds: t, nanos: n }
  }
  function Pf(e) {
    let t = Number(e.seconds) * 1e3
    return ((t += e.nanos / 1e6), new Date(t))
  }
  var _f = (e) => ({
    seconds: dr(e.seconds) ? BigInt(e.seconds.toString()) : BigInt(0),
    nanos: dr(e.nanos) ? Number(e.nanos) : 0,
  })
  function vf(e) {
    return e instanceof Date ? fr(e) : typeof e == 'string' ? fr(new Date(e)) : _f(e)
  }
  function Nf(e) {
    return BigInt(Math.trunc(e))
  }
})
var lr = W((lt) => {
  Object.defineProperty(lt, '__esModule', { value: !0 })
  lt.Timestamp = lt.protobufPackage = void 0
  var cr = pe(),
    fs = $e()
  lt.protobufPackage = 'google.protobuf'
  function ur() {
    return { seconds: BigInt(0), nanos: 0 }
  }
  lt.Timestamp = {
    typeUrl: '/google.protobuf.Timestamp',
    encode(e, t = cr.BinaryWriter.create()) {
      return (
        e.seconds !== BigInt(0) && t.uint32(8).int64(e.seconds),
        e.nanos !== 0 && t.uint32(16).int32(e.nanos),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof cr.BinaryReader ? e : new cr.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = ur()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.seconds = n.int64()
            break
          case 2:
            r.nanos = n.int32()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = ur()
      return (
        (0, fs.isSet)(e.seconds) && (t.seconds = BigInt(e.seconds.toString())),
        (0, fs.isSet)(e.nanos) && (t.nanos = Number(e.nanos)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.seconds !== void 0 && (t.seconds = (e.seconds || BigInt(0)).toString()),
        e.nanos !== void 0 && (t.nanos = Math.round(e.nanos)),
        t
      )
    },
    fromPartial(e) {
      const t = ur()
      return (
        e.seconds !== void 0 && e.seconds !== null && (t.seconds = BigInt(e.seconds.toString())),
        (t.nanos = e.nanos ?? 0),
        t
      )
    },
  }
})
var cs = W((L) => {
  Object.defineProperty(L, '__esModule', { value: !0 })
  L.ProofOps = L.ProofOp = L.DominoOp = L.ValueOp = L.Proof = L.protobufPackage = void 0
  var ae = pe(),
    q = $e()
  L.protobufPackage = 'tendermint.crypto'
  function hr() {
    return { total: BigInt(0), index: BigInt(0), leafHash: new Uint8Array(), aunts: [] }
  }
  L.Proof = {
    typeUrl: '/tendermint.crypto.Proof',
    encode(e, t = ae.BinaryWriter.create()) {
      e.total !== BigInt(0) && t.uint32(8).int64(e.total),
        e.index !== BigInt(0) && t.uint32(16).int64(e.index),
        e.leafHash.length !== 0 && t.uint32(26).bytes(e.leafHash)
      for (const n of e.aunts) t.uint32(34).bytes(n)
      return t
    },
    decode(e, t) {
      const n = e instanceof ae.BinaryReader ? e : new ae.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = hr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.total = n.int64()
            break
          case 2:
            r.index = n.int64()
            break
          case 3:
            r.leafHash = n.bytes()
            break
          case 4:
            r.aunts.push(n.bytes())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = hr()
      return (
        (0, q.isSet)(e.total) && (t.total = BigInt(e.total.toString())),
        (0, q.isSet)(e.index) && (t.index = BigInt(e.index.toString())),
        (0, q.isSet)(e.leafHash) && (t.leafHash = (0, q.bytesFromBase64)(e.leafHash)),
        Array.isArray(e?.aunts) && (t.aunts = e.aunts.map((n) => (0, q.bytesFromBase64)(n))),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.total !== void 0 && (t.total = (e.total || BigInt(0)).toString()),
        e.index !== void 0 && (t.index = (e.index || BigInt(0)).toString()),
        e.leafHash !== void 0 &&
          (t.leafHash = (0, q.base64FromBytes)(
            e.leafHash !== void 0 ? e.leafHash : new Uint8Array(),
          )),
        e.aunts
          ? (t.aunts = e.aunts.map((n) =>
              (0, q.base64FromBytes)(n !== void 0 ? n : new Uint8Array()),
            ))
          : (t.aunts = []),
        t
      )
    },
    fromPartial(e) {
      const t = hr()
      return (
        e.total !== void 0 && e.total !== null && (t.total = BigInt(e.total.toString())),
        e.index !== void 0 && e.index !== null && (t.index = BigInt(e.index.toString())),
        (t.leafHash = e.leafHash ?? new Uint8Array()),
        (t.aunts = e.aunts?.map((n) => n) || []),
        t
      )
    },
  }
  function pr() {
    return { key: new Uint8Array(), proof: void 0 }
  }
  L.ValueOp = {
    typeUrl: '/tendermint.crypto.ValueOp',
    encode(e, t = ae.BinaryWriter.create()) {
      return (
        e.key.length !== 0 && t.uint32(10).bytes(e.key),
        e.proof !== void 0 && L.Proof.encode(e.proof, t.uint32(18).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof ae.BinaryReader ? e : new ae.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = pr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.key = n.bytes()
            break
          case 2:
            r.proof = L.Proof.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = pr()
      return (
        (0, q.isSet)(e.key) && (t.key = (0, q.bytesFromBase64)(e.key)),
        (0, q.isSet)(e.proof) && (t.proof = L.Proof.fromJSON(e.proof)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.key !== void 0 &&
          (t.key = (0, q.base64FromBytes)(e.key !== void 0 ? e.key : new Uint8Array())),
        e.proof !== void 0 && (t.proof = e.proof ? L.Proof.toJSON(e.proof) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = pr()
      return (
        (t.key = e.key ?? new Uint8Array()),
        e.proof !== void 0 && e.proof !== null && (t.proof = L.Proof.fromPartial(e.proof)),
        t
      )
    },
  }
  function yr() {
    return { key: '', input: '', output: '' }
  }
  L.DominoOp = {
    typeUrl: '/tendermint.crypto.DominoOp',
    encode(e, t = ae.BinaryWriter.create()) {
      return (
        e.key !== '' && t.uint32(10).string(e.key),
        e.input !== '' && t.uint32(18).string(e.input),
        e.output !== '' && t.uint32(26).string(e.output),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof ae.BinaryReader ? e : new ae.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = yr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.key = n.string()
            break
          case 2:
            r.input = n.string()
            break
          case 3:
            r.output = n.string()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = yr()
      return (
        (0, q.isSet)(e.key) && (t.key = String(e.key)),
        (0, q.isSet)(e.input) && (t.input = String(e.input)),
        (0, q.isSet)(e.output) && (t.output = String(e.output)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.key !== void 0 && (t.key = e.key),
        e.input !== void 0 && (t.input = e.input),
        e.output !== void 0 && (t.output = e.output),
        t
      )
    },
    fromPartial(e) {
      const t = yr()
      return ((t.key = e.key ?? ''), (t.input = e.input ?? ''), (t.output = e.output ?? ''), t)
    },
  }
  function mr() {
    return { type: '', key: new Uint8Array(), data: new Uint8Array() }
  }
  L.ProofOp = {
    typeUrl: '/tendermint.crypto.ProofOp',
    encode(e, t = ae.BinaryWriter.create()) {
      return (
        e.type !== '' && t.uint32(10).string(e.type),
        e.key.length !== 0 && t.uint32(18).bytes(e.key),
        e.data.length !== 0 && t.uint32(26).bytes(e.data),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof ae.BinaryReader ? e : new ae.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = mr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.type = n.string()
            break
          case 2:
            r.key = n.bytes()
            break
          case 3:
            r.data = n.bytes()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = mr()
      return (
        (0, q.isSet)(e.type) && (t.type = String(e.type)),
        (0, q.isSet)(e.key) && (t.key = (0, q.bytesFromBase64)(e.key)),
        (0, q.isSet)(e.data) && (t.data = (0, q.bytesFromBase64)(e.data)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.type !== void 0 && (t.type = e.type),
        e.key !== void 0 &&
          (t.key = (0, q.base64FromBytes)(e.key !== void 0 ? e.key : new Uint8Array())),
        e.data !== void 0 &&
          (t.data = (0, q.base64FromBytes)(e.data !== void 0 ? e.data : new Uint8Array())),
        t
      )
    },
    fromPartial(e) {
      const t = mr()
      return (
        (t.type = e.type ?? ''),
        (t.key = e.key ?? new Uint8Array()),
        (t.data = e.data ?? new Uint8Array()),
        t
      )
    },
  }
  function xr() {
    return { ops: [] }
  }
  L.ProofOps = {
    typeUrl: '/tendermint.crypto.ProofOps',
    encode(e, t = ae.BinaryWriter.create()) {
      for (const n of e.ops) L.ProofOp.encode(n, t.uint32(10).fork()).ldelim()
      return t
    },
    decode(e, t) {
      const n = e instanceof ae.BinaryReader ? e : new ae.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = xr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        i >>> 3 === 1 ? r.ops.push(L.ProofOp.decode(n, n.uint32())) : n.skipType(i & 7)
      }
      return r
    },
    fromJSON(e) {
      const t = xr()
      return (Array.isArray(e?.ops) && (t.ops = e.ops.map((n) => L.ProofOp.fromJSON(n))), t)
    },
    toJSON(e) {
      const t = {}
      return (
        e.ops ? (t.ops = e.ops.map((n) => (n ? L.ProofOp.toJSON(n) : void 0))) : (t.ops = []), t
      )
    },
    fromPartial(e) {
      const t = xr()
      return ((t.ops = e.ops?.map((n) => L.ProofOp.fromPartial(n)) || []), t)
    },
  }
})
var Sr = W((Ve) => {
  Object.defineProperty(Ve, '__esModule', { value: !0 })
  Ve.Consensus = Ve.App = Ve.protobufPackage = void 0
  var ht = pe(),
    yn = $e()
  Ve.protobufPackage = 'tendermint.version'
  function gr() {
    return { protocol: BigInt(0), software: '' }
  }
  Ve.App = {
    typeUrl: '/tendermint.version.App',
    encode(e, t = ht.BinaryWriter.create()) {
      return (
        e.protocol !== BigInt(0) && t.uint32(8).uint64(e.protocol),
        e.software !== '' && t.uint32(18).string(e.software),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof ht.BinaryReader ? e : new ht.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = gr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.protocol = n.uint64()
            break
          case 2:
            r.software = n.string()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = gr()
      return (
        (0, yn.isSet)(e.protocol) && (t.protocol = BigInt(e.protocol.toString())),
        (0, yn.isSet)(e.software) && (t.software = String(e.software)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.protocol !== void 0 && (t.protocol = (e.protocol || BigInt(0)).toString()),
        e.software !== void 0 && (t.software = e.software),
        t
      )
    },
    fromPartial(e) {
      const t = gr()
      return (
        e.protocol !== void 0 &&
          e.protocol !== null &&
          (t.protocol = BigInt(e.protocol.toString())),
        (t.software = e.software ?? ''),
        t
      )
    },
  }
  function br() {
    return { block: BigInt(0), app: BigInt(0) }
  }
  Ve.Consensus = {
    typeUrl: '/tendermint.version.Consensus',
    encode(e, t = ht.BinaryWriter.create()) {
      return (
        e.block !== BigInt(0) && t.uint32(8).uint64(e.block),
        e.app !== BigInt(0) && t.uint32(16).uint64(e.app),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof ht.BinaryReader ? e : new ht.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = br()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.block = n.uint64()
            break
          case 2:
            r.app = n.uint64()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = br()
      return (
        (0, yn.isSet)(e.block) && (t.block = BigInt(e.block.toString())),
        (0, yn.isSet)(e.app) && (t.app = BigInt(e.app.toString())),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.block !== void 0 && (t.block = (e.block || BigInt(0)).toString()),
        e.app !== void 0 && (t.app = (e.app || BigInt(0)).toString()),
        t
      )
    },
    fromPartial(e) {
      const t = br()
      return (
        e.block !== void 0 && e.block !== null && (t.block = BigInt(e.block.toString())),
        e.app !== void 0 && e.app !== null && (t.app = BigInt(e.app.toString())),
        t
      )
    },
  }
})
var kr = W((yt) => {
  Object.defineProperty(yt, '__esModule', { value: !0 })
  yt.PublicKey = yt.protobufPackage = void 0
  var Br = pe(),
    pt = $e()
  yt.protobufPackage = 'tendermint.crypto'
  function wr() {
    return { ed25519: void 0, secp256k1: void 0 }
  }
  yt.PublicKey = {
    typeUrl: '/tendermint.crypto.PublicKey',
    encode(e, t = Br.BinaryWriter.create()) {
      return (
        e.ed25519 !== void 0 && t.uint32(10).bytes(e.ed25519),
        e.secp256k1 !== void 0 && t.uint32(18).bytes(e.secp256k1),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof Br.BinaryReader ? e : new Br.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = wr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.ed25519 = n.bytes()
            break
          case 2:
            r.secp256k1 = n.bytes()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = wr()
      return (
        (0, pt.isSet)(e.ed25519) && (t.ed25519 = (0, pt.bytesFromBase64)(e.ed25519)),
        (0, pt.isSet)(e.secp256k1) && (t.secp256k1 = (0, pt.bytesFromBase64)(e.secp256k1)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.ed25519 !== void 0 &&
          (t.ed25519 = e.ed25519 !== void 0 ? (0, pt.base64FromBytes)(e.ed25519) : void 0),
        e.secp256k1 !== void 0 &&
          (t.secp256k1 = e.secp256k1 !== void 0 ? (0, pt.base64FromBytes)(e.secp256k1) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = wr()
      return ((t.ed25519 = e.ed25519 ?? void 0), (t.secp256k1 = e.secp256k1 ?? void 0), t)
    },
  }
})
var Or = W((D) => {
  Object.defineProperty(D, '__esModule', { value: !0 })
  D.SimpleValidator = D.Validator = D.ValidatorSet = D.BlockIDFlag = D.protobufPackage = void 0
  D.blockIDFlagFromJSON = Tf
  D.blockIDFlagToJSON = Rf
  var Se = kr(),
    Ne = pe(),
    Pe = $e()
  D.protobufPackage = 'tendermint.types'
  var ye
  ;((e) => {
    ;(e[(e.BLOCK_ID_FLAG_UNKNOWN = 0)] = 'BLOCK_ID_FLAG_UNKNOWN'),
      (e[(e.BLOCK_ID_FLAG_ABSENT = 1)] = 'BLOCK_ID_FLAG_ABSENT'),
      (e[(e.BLOCK_ID_FLAG_COMMIT = 2)] = 'BLOCK_ID_FLAG_COMMIT'),
      (e[(e.BLOCK_ID_FLAG_NIL = 3)] = 'BLOCK_ID_FLAG_NIL'),
      (e[(e.UNRECOGNIZED = -1)] = 'UNRECOGNIZED')
  })(ye || (D.BlockIDFlag = ye = {}))
  function Tf(e) {
    switch (e) {
      case 0:
      case 'BLOCK_ID_FLAG_UNKNOWN':
        return ye.BLOCK_ID_FLAG_UNKNOWN
      case 1:
      case 'BLOCK_ID_FLAG_ABSENT':
        return ye.BLOCK_ID_FLAG_ABSENT
      case 2:
      case 'BLOCK_ID_FLAG_COMMIT':
        return ye.BLOCK_ID_FLAG_COMMIT
      case 3:
      case 'BLOCK_ID_FLAG_NIL':
        return ye.BLOCK_ID_FLAG_NIL
      default:
        return ye.UNRECOGNIZED
    }
  }
  function Rf(e) {
    switch (e) {
      case ye.BLOCK_ID_FLAG_UNKNOWN:
        return 'BLOCK_ID_FLAG_UNKNOWN'
      case ye.BLOCK_ID_FLAG_ABSENT:
        return 'BLOCK_ID_FLAG_ABSENT'
      case ye.BLOCK_ID_FLAG_COMMIT:
        return 'BLOCK_ID_FLAG_COMMIT'
      case ye.BLOCK_ID_FLAG_NIL:
        return 'BLOCK_ID_FLAG_NIL'
      case ye.UNRECOGNIZED:
      default:
        return 'UNRECOGNIZED'
    }
  }
  function Er() {
    return { validators: [], proposer: void 0, totalVotingPower: BigInt(0) }
  }
  D.ValidatorSet = {
    typeUrl: '/tendermint.types.ValidatorSet',
    encode(e, t = Ne.BinaryWriter.create()) {
      for (const n of e.validators) D.Validator.encode(n, t.uint32(10).fork()).ldelim()
      return (
        e.proposer !== void 0 && D.Validator.encode(e.proposer, t.uint32(18).fork()).ldelim(),
        e.totalVotingPower !== BigInt(0) && t.uint32(24).int64(e.totalVotingPower),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof Ne.BinaryReader ? e : new Ne.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Er()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.validators.push(D.Validator.decode(n, n.uint32()))
            break
          case 2:
            r.proposer = D.Validator.decode(n, n.uint32())
            break
          case 3:
            r.totalVotingPower = n.int64()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Er()
      return (
        Array.isArray(e?.validators) &&
          (t.validators = e.validators.map((n) => D.Validator.fromJSON(n))),
        (0, Pe.isSet)(e.proposer) && (t.proposer = D.Validator.fromJSON(e.proposer)),
        (0, Pe.isSet)(e.totalVotingPower) &&
          (t.totalVotingPower = BigInt(e.totalVotingPower.toString())),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.validators
          ? (t.validators = e.validators.map((n) => (n ? D.Validator.toJSON(n) : void 0)))
          : (t.validators = []),
        e.proposer !== void 0 &&
          (t.proposer = e.proposer ? D.Validator.toJSON(e.proposer) : void 0),
        e.totalVotingPower !== void 0 &&
          (t.totalVotingPower = (e.totalVotingPower || BigInt(0)).toString()),
        t
      )
    },
    fromPartial(e) {
      const t = Er()
      return (
        (t.validators = e.validators?.map((n) => D.Validator.fromPartial(n)) || []),
        e.proposer !== void 0 &&
          e.proposer !== null &&
          (t.proposer = D.Validator.fromPartial(e.proposer)),
        e.totalVotingPower !== void 0 &&
          e.totalVotingPower !== null &&
          (t.totalVotingPower = BigInt(e.totalVotingPower.toString())),
        t
      )
    },
  }
  function Ir() {
    return {
      address: new Uint8Array(),
      pubKey: Se.PublicKey.fromPartial({}),
      votingPower: BigInt(0),
      proposerPriority: BigInt(0),
    }
  }
  D.Validator = {
    typeUrl: '/tendermint.types.Validator',
    encode(e, t = Ne.BinaryWriter.create()) {
      return (
        e.address.length !== 0 && t.uint32(10).bytes(e.address),
        e.pubKey !== void 0 && Se.PublicKey.encode(e.pubKey, t.uint32(18).fork()).ldelim(),
        e.votingPower !== BigInt(0) && t.uint32(24).int64(e.votingPower),
        e.proposerPriority !== BigInt(0) && t.uint32(32).int64(e.proposerPriority),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof Ne.BinaryReader ? e : new Ne.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Ir()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.address = n.bytes()
            break
          case 2:
            r.pubKey = Se.PublicKey.decode(n, n.uint32())
            break
          case 3:
            r.votingPower = n.int64()
            break
          case 4:
            r.proposerPriority = n.int64()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Ir()
      return (
        (0, Pe.isSet)(e.address) && (t.address = (0, Pe.bytesFromBase64)(e.address)),
        (0, Pe.isSet)(e.pubKey) && (t.pubKey = Se.PublicKey.fromJSON(e.pubKey)),
        (0, Pe.isSet)(e.votingPower) && (t.votingPower = BigInt(e.votingPower.toString())),
        (0, Pe.isSet)(e.proposerPriority) &&
          (t.proposerPriority = BigInt(e.proposerPriority.toString())),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.address !== void 0 &&
          (t.address = (0, Pe.base64FromBytes)(
            e.address !== void 0 ? e.address : new Uint8Array(),
          )),
        e.pubKey !== void 0 && (t.pubKey = e.pubKey ? Se.PublicKey.toJSON(e.pubKey) : void 0),
        e.votingPower !== void 0 && (t.votingPower = (e.votingPower || BigInt(0)).toString()),
        e.proposerPriority !== void 0 &&
          (t.proposerPriority = (e.proposerPriority || BigInt(0)).toString()),
        t
      )
    },
    fromPartial(e) {
      const t = Ir()
      return (
        (t.address = e.address ?? new Uint8Array()),
        e.pubKey !== void 0 && e.pubKey !== null && (t.pubKey = Se.PublicKey.fromPartial(e.pubKey)),
        e.votingPower !== void 0 &&
          e.votingPower !== null &&
          (t.votingPower = BigInt(e.votingPower.toString())),
        e.proposerPriority !== void 0 &&
          e.proposerPriority !== null &&
          (t.proposerPriority = BigInt(e.proposerPriority.toString())),
        t
      )
    },
  }
  function Ar() {
    return { pubKey: void 0, votingPower: BigInt(0) }
  }
  D.SimpleValidator = {
    typeUrl: '/tendermint.types.SimpleValidator',
    encode(e, t = Ne.BinaryWriter.create()) {
      return (
        e.pubKey !== void 0 && Se.PublicKey.encode(e.pubKey, t.uint32(10).fork()).ldelim(),
        e.votingPower !== BigInt(0) && t.uint32(16).int64(e.votingPower),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof Ne.BinaryReader ? e : new Ne.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Ar()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.pubKey = Se.PublicKey.decode(n, n.uint32())
            break
          case 2:
            r.votingPower = n.int64()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Ar()
      return (
        (0, Pe.isSet)(e.pubKey) && (t.pubKey = Se.PublicKey.fromJSON(e.pubKey)),
        (0, Pe.isSet)(e.votingPower) && (t.votingPower = BigInt(e.votingPower.toString())),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.pubKey !== void 0 && (t.pubKey = e.pubKey ? Se.PublicKey.toJSON(e.pubKey) : void 0),
        e.votingPower !== void 0 && (t.votingPower = (e.votingPower || BigInt(0)).toString()),
        t
      )
    },
    fromPartial(e) {
      const t = Ar()
      return (
        e.pubKey !== void 0 && e.pubKey !== null && (t.pubKey = Se.PublicKey.fromPartial(e.pubKey)),
        e.votingPower !== void 0 &&
          e.votingPower !== null &&
          (t.votingPower = BigInt(e.votingPower.toString())),
        t
      )
    },
  }
})
var us = W((h) => {
  Object.defineProperty(h, '__esModule', { value: !0 })
  h.TxProof =
    h.BlockMeta =
    h.LightBlock =
    h.SignedHeader =
    h.Proposal =
    h.ExtendedCommitSig =
    h.ExtendedCommit =
    h.CommitSig =
    h.Commit =
    h.Vote =
    h.Data =
    h.Header =
    h.BlockID =
    h.Part =
    h.PartSetHeader =
    h.SignedMsgType =
    h.protobufPackage =
      void 0
  h.signedMsgTypeFromJSON = Vr
  h.signedMsgTypeToJSON = Gr
  var Be = cs(),
    mt = Sr(),
    z = lr(),
    Te = Or(),
    E = pe(),
    u = $e()
  h.protobufPackage = 'tendermint.types'
  var me
  ;((e) => {
    ;(e[(e.SIGNED_MSG_TYPE_UNKNOWN = 0)] = 'SIGNED_MSG_TYPE_UNKNOWN'),
      (e[(e.SIGNED_MSG_TYPE_PREVOTE = 1)] = 'SIGNED_MSG_TYPE_PREVOTE'),
      (e[(e.SIGNED_MSG_TYPE_PRECOMMIT = 2)] = 'SIGNED_MSG_TYPE_PRECOMMIT'),
      (e[(e.SIGNED_MSG_TYPE_PROPOSAL = 32)] = 'SIGNED_MSG_TYPE_PROPOSAL'),
      (e[(e.UNRECOGNIZED = -1)] = 'UNRECOGNIZED')
  })(me || (h.SignedMsgType = me = {}))
  function Vr(e) {
    switch (e) {
      case 0:
      case 'SIGNED_MSG_TYPE_UNKNOWN':
        return me.SIGNED_MSG_TYPE_UNKNOWN
      case 1:
      case 'SIGNED_MSG_TYPE_PREVOTE':
        return me.SIGNED_MSG_TYPE_PREVOTE
      case 2:
      case 'SIGNED_MSG_TYPE_PRECOMMIT':
        return me.SIGNED_MSG_TYPE_PRECOMMIT
      case 32:
      case 'SIGNED_MSG_TYPE_PROPOSAL':
        return me.SIGNED_MSG_TYPE_PROPOSAL
      default:
        return me.UNRECOGNIZED
    }
  }
  function Gr(e) {
    switch (e) {
      case me.SIGNED_MSG_TYPE_UNKNOWN:
        return 'SIGNED_MSG_TYPE_UNKNOWN'
      case me.SIGNED_MSG_TYPE_PREVOTE:
        return 'SIGNED_MSG_TYPE_PREVOTE'
      case me.SIGNED_MSG_TYPE_PRECOMMIT:
        return 'SIGNED_MSG_TYPE_PRECOMMIT'
      case me.SIGNED_MSG_TYPE_PROPOSAL:
        return 'SIGNED_MSG_TYPE_PROPOSAL'
      case me.UNRECOGNIZED:
      default:
        return 'UNRECOGNIZED'
    }
  }
  function Pr() {
    return { total: 0, hash: new Uint8Array() }
  }
  h.PartSetHeader = {
    typeUrl: '/tendermint.types.PartSetHeader',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.total !== 0 && t.uint32(8).uint32(e.total),
        e.hash.length !== 0 && t.uint32(18).bytes(e.hash),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Pr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.total = n.uint32()
            break
          case 2:
            r.hash = n.bytes()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Pr()
      return (
        (0, u.isSet)(e.total) && (t.total = Number(e.total)),
        (0, u.isSet)(e.hash) && (t.hash = (0, u.bytesFromBase64)(e.hash)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.total !== void 0 && (t.total = Math.round(e.total)),
        e.hash !== void 0 &&
          (t.hash = (0, u.base64FromBytes)(e.hash !== void 0 ? e.hash : new Uint8Array())),
        t
      )
    },
    fromPartial(e) {
      const t = Pr()
      return ((t.total = e.total ?? 0), (t.hash = e.hash ?? new Uint8Array()), t)
    },
  }
  function _r() {
    return { index: 0, bytes: new Uint8Array(), proof: Be.Proof.fromPartial({}) }
  }
  h.Part = {
    typeUrl: '/tendermint.types.Part',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.index !== 0 && t.uint32(8).uint32(e.index),
        e.bytes.length !== 0 && t.uint32(18).bytes(e.bytes),
        e.proof !== void 0 && Be.Proof.encode(e.proof, t.uint32(26).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = _r()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.index = n.uint32()
            break
          case 2:
            r.bytes = n.bytes()
            break
          case 3:
            r.proof = Be.Proof.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = _r()
      return (
        (0, u.isSet)(e.index) && (t.index = Number(e.index)),
        (0, u.isSet)(e.bytes) && (t.bytes = (0, u.bytesFromBase64)(e.bytes)),
        (0, u.isSet)(e.proof) && (t.proof = Be.Proof.fromJSON(e.proof)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.index !== void 0 && (t.index = Math.round(e.index)),
        e.bytes !== void 0 &&
          (t.bytes = (0, u.base64FromBytes)(e.bytes !== void 0 ? e.bytes : new Uint8Array())),
        e.proof !== void 0 && (t.proof = e.proof ? Be.Proof.toJSON(e.proof) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = _r()
      return (
        (t.index = e.index ?? 0),
        (t.bytes = e.bytes ?? new Uint8Array()),
        e.proof !== void 0 && e.proof !== null && (t.proof = Be.Proof.fromPartial(e.proof)),
        t
      )
    },
  }
  function vr() {
    return { hash: new Uint8Array(), partSetHeader: h.PartSetHeader.fromPartial({}) }
  }
  h.BlockID = {
    typeUrl: '/tendermint.types.BlockID',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.hash.length !== 0 && t.uint32(10).bytes(e.hash),
        e.partSetHeader !== void 0 &&
          h.PartSetHeader.encode(e.partSetHeader, t.uint32(18).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = vr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.hash = n.bytes()
            break
          case 2:
            r.partSetHeader = h.PartSetHeader.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = vr()
      return (
        (0, u.isSet)(e.hash) && (t.hash = (0, u.bytesFromBase64)(e.hash)),
        (0, u.isSet)(e.partSetHeader) &&
          (t.partSetHeader = h.PartSetHeader.fromJSON(e.partSetHeader)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.hash !== void 0 &&
          (t.hash = (0, u.base64FromBytes)(e.hash !== void 0 ? e.hash : new Uint8Array())),
        e.partSetHeader !== void 0 &&
          (t.partSetHeader = e.partSetHeader ? h.PartSetHeader.toJSON(e.partSetHeader) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = vr()
      return (
        (t.hash = e.hash ?? new Uint8Array()),
        e.partSetHeader !== void 0 &&
          e.partSetHeader !== null &&
          (t.partSetHeader = h.PartSetHeader.fromPartial(e.partSetHeader)),
        t
      )
    },
  }
  function Nr() {
    return {
      version: mt.Consensus.fromPartial({}),
      chainId: '',
      height: BigInt(0),
      time: z.Timestamp.fromPartial({}),
      lastBlockId: h.BlockID.fromPartial({}),
      lastCommitHash: new Uint8Array(),
      dataHash: new Uint8Array(),
      validatorsHash: new Uint8Array(),
      nextValidatorsHash: new Uint8Array(),
      consensusHash: new Uint8Array(),
      appHash: new Uint8Array(),
      lastResultsHash: new Uint8Array(),
      evidenceHash: new Uint8Array(),
      proposerAddress: new Uint8Array(),
    }
  }
  h.Header = {
    typeUrl: '/tendermint.types.Header',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.version !== void 0 && mt.Consensus.encode(e.version, t.uint32(10).fork()).ldelim(),
        e.chainId !== '' && t.uint32(18).string(e.chainId),
        e.height !== BigInt(0) && t.uint32(24).int64(e.height),
        e.time !== void 0 && z.Timestamp.encode(e.time, t.uint32(34).fork()).ldelim(),
        e.lastBlockId !== void 0 && h.BlockID.encode(e.lastBlockId, t.uint32(42).fork()).ldelim(),
        e.lastCommitHash.length !== 0 && t.uint32(50).bytes(e.lastCommitHash),
        e.dataHash.length !== 0 && t.uint32(58).bytes(e.dataHash),
        e.validatorsHash.length !== 0 && t.uint32(66).bytes(e.validatorsHash),
        e.nextValidatorsHash.length !== 0 && t.uint32(74).bytes(e.nextValidatorsHash),
        e.consensusHash.length !== 0 && t.uint32(82).bytes(e.consensusHash),
        e.appHash.length !== 0 && t.uint32(90).bytes(e.appHash),
        e.lastResultsHash.length !== 0 && t.uint32(98).bytes(e.lastResultsHash),
        e.evidenceHash.length !== 0 && t.uint32(106).bytes(e.evidenceHash),
        e.proposerAddress.length !== 0 && t.uint32(114).bytes(e.proposerAddress),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Nr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.version = mt.Consensus.decode(n, n.uint32())
            break
          case 2:
            r.chainId = n.string()
            break
          case 3:
            r.height = n.int64()
            break
          case 4:
            r.time = z.Timestamp.decode(n, n.uint32())
            break
          case 5:
            r.lastBlockId = h.BlockID.decode(n, n.uint32())
            break
          case 6:
            r.lastCommitHash = n.bytes()
            break
          case 7:
            r.dataHash = n.bytes()
            break
          case 8:
            r.validatorsHash = n.bytes()
            break
          case 9:
            r.nextValidatorsHash = n.bytes()
            break
          case 10:
            r.consensusHash = n.bytes()
            break
          case 11:
            r.appHash = n.bytes()
            break
          case 12:
            r.lastResultsHash = n.bytes()
            break
          case 13:
            r.evidenceHash = n.bytes()
            break
          case 14:
            r.proposerAddress = n.bytes()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Nr()
      return (
        (0, u.isSet)(e.version) && (t.version = mt.Consensus.fromJSON(e.version)),
        (0, u.isSet)(e.chainId) && (t.chainId = String(e.chainId)),
        (0, u.isSet)(e.height) && (t.height = BigInt(e.height.toString())),
        (0, u.isSet)(e.time) && (t.time = (0, u.fromJsonTimestamp)(e.time)),
        (0, u.isSet)(e.lastBlockId) && (t.lastBlockId = h.BlockID.fromJSON(e.lastBlockId)),
        (0, u.isSet)(e.lastCommitHash) &&
          (t.lastCommitHash = (0, u.bytesFromBase64)(e.lastCommitHash)),
        (0, u.isSet)(e.dataHash) && (t.dataHash = (0, u.bytesFromBase64)(e.dataHash)),
        (0, u.isSet)(e.validatorsHash) &&
          (t.validatorsHash = (0, u.bytesFromBase64)(e.validatorsHash)),
        (0, u.isSet)(e.nextValidatorsHash) &&
          (t.nextValidatorsHash = (0, u.bytesFromBase64)(e.nextValidatorsHash)),
        (0, u.isSet)(e.consensusHash) &&
          (t.consensusHash = (0, u.bytesFromBase64)(e.consensusHash)),
        (0, u.isSet)(e.appHash) && (t.appHash = (0, u.bytesFromBase64)(e.appHash)),
        (0, u.isSet)(e.lastResultsHash) &&
          (t.lastResultsHash = (0, u.bytesFromBase64)(e.lastResultsHash)),
        (0, u.isSet)(e.evidenceHash) && (t.evidenceHash = (0, u.bytesFromBase64)(e.evidenceHash)),
        (0, u.isSet)(e.proposerAddress) &&
          (t.proposerAddress = (0, u.bytesFromBase64)(e.proposerAddress)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.version !== void 0 && (t.version = e.version ? mt.Consensus.toJSON(e.version) : void 0),
        e.chainId !== void 0 && (t.chainId = e.chainId),
        e.height !== void 0 && (t.height = (e.height || BigInt(0)).toString()),
        e.time !== void 0 && (t.time = (0, u.fromTimestamp)(e.time).toISOString()),
        e.lastBlockId !== void 0 &&
          (t.lastBlockId = e.lastBlockId ? h.BlockID.toJSON(e.lastBlockId) : void 0),
        e.lastCommitHash !== void 0 &&
          (t.lastCommitHash = (0, u.base64FromBytes)(
            e.lastCommitHash !== void 0 ? e.lastCommitHash : new Uint8Array(),
          )),
        e.dataHash !== void 0 &&
          (t.dataHash = (0, u.base64FromBytes)(
            e.dataHash !== void 0 ? e.dataHash : new Uint8Array(),
          )),
        e.validatorsHash !== void 0 &&
          (t.validatorsHash = (0, u.base64FromBytes)(
            e.validatorsHash !== void 0 ? e.validatorsHash : new Uint8Array(),
          )),
        e.nextValidatorsHash !== void 0 &&
          (t.nextValidatorsHash = (0, u.base64FromBytes)(
            e.nextValidatorsHash !== void 0 ? e.nextValidatorsHash : new Uint8Array(),
          )),
        e.consensusHash !== void 0 &&
          (t.consensusHash = (0, u.base64FromBytes)(
            e.consensusHash !== void 0 ? e.consensusHash : new Uint8Array(),
          )),
        e.appHash !== void 0 &&
          (t.appHash = (0, u.base64FromBytes)(e.appHash !== void 0 ? e.appHash : new Uint8Array())),
        e.lastResultsHash !== void 0 &&
          (t.lastResultsHash = (0, u.base64FromBytes)(
            e.lastResultsHash !== void 0 ? e.lastResultsHash : new Uint8Array(),
          )),
        e.evidenceHash !== void 0 &&
          (t.evidenceHash = (0, u.base64FromBytes)(
            e.evidenceHash !== void 0 ? e.evidenceHash : new Uint8Array(),
          )),
        e.proposerAddress !== void 0 &&
          (t.proposerAddress = (0, u.base64FromBytes)(
            e.proposerAddress !== void 0 ? e.proposerAddress : new Uint8Array(),
          )),
        t
      )
    },
    fromPartial(e) {
      const t = Nr()
      return (
        e.version !== void 0 &&
          e.version !== null &&
          (t.version = mt.Consensus.fromPartial(e.version)),
        (t.chainId = e.chainId ?? ''),
        e.height !== void 0 && e.height !== null && (t.height = BigInt(e.height.toString())),
        e.time !== void 0 && e.time !== null && (t.time = z.Timestamp.fromPartial(e.time)),
        e.lastBlockId !== void 0 &&
          e.lastBlockId !== null &&
          (t.lastBlockId = h.BlockID.fromPartial(e.lastBlockId)),
        (t.lastCommitHash = e.lastCommitHash ?? new Uint8Array()),
        (t.dataHash = e.dataHash ?? new Uint8Array()),
        (t.validatorsHash = e.validatorsHash ?? new Uint8Array()),
        (t.nextValidatorsHash = e.nextValidatorsHash ?? new Uint8Array()),
        (t.consensusHash = e.consensusHash ?? new Uint8Array()),
        (t.appHash = e.appHash ?? new Uint8Array()),
        (t.lastResultsHash = e.lastResultsHash ?? new Uint8Array()),
        (t.evidenceHash = e.evidenceHash ?? new Uint8Array()),
        (t.proposerAddress = e.proposerAddress ?? new Uint8Array()),
        t
      )
    },
  }
  function Tr() {
    return { txs: [] }
  }
  h.Data = {
    typeUrl: '/tendermint.types.Data',
    encode(e, t = E.BinaryWriter.create()) {
      for (const n of e.txs) t.uint32(10).bytes(n)
      return t
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Tr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        i >>> 3 === 1 ? r.txs.push(n.bytes()) : n.skipType(i & 7)
      }
      return r
    },
    fromJSON(e) {
      const t = Tr()
      return (Array.isArray(e?.txs) && (t.txs = e.txs.map((n) => (0, u.bytesFromBase64)(n))), t)
    },
    toJSON(e) {
      const t = {}
      return (
        e.txs
          ? (t.txs = e.txs.map((n) => (0, u.base64FromBytes)(n !== void 0 ? n : new Uint8Array())))
          : (t.txs = []),
        t
      )
    },
    fromPartial(e) {
      const t = Tr()
      return ((t.txs = e.txs?.map((n) => n) || []), t)
    },
  }
  function Rr() {
    return {
      type: 0,
      height: BigInt(0),
      round: 0,
      blockId: h.BlockID.fromPartial({}),
      timestamp: z.Timestamp.fromPartial({}),
      validatorAddress: new Uint8Array(),
      validatorIndex: 0,
      signature: new Uint8Array(),
      extension: new Uint8Array(),
      extensionSignature: new Uint8Array(),
    }
  }
  h.Vote = {
    typeUrl: '/tendermint.types.Vote',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.type !== 0 && t.uint32(8).int32(e.type),
        e.height !== BigInt(0) && t.uint32(16).int64(e.height),
        e.round !== 0 && t.uint32(24).int32(e.round),
        e.blockId !== void 0 && h.BlockID.encode(e.blockId, t.uint32(34).fork()).ldelim(),
        e.timestamp !== void 0 && z.Timestamp.encode(e.timestamp, t.uint32(42).fork()).ldelim(),
        e.validatorAddress.length !== 0 && t.uint32(50).bytes(e.validatorAddress),
        e.validatorIndex !== 0 && t.uint32(56).int32(e.validatorIndex),
        e.signature.length !== 0 && t.uint32(66).bytes(e.signature),
        e.extension.length !== 0 && t.uint32(74).bytes(e.extension),
        e.extensionSignature.length !== 0 && t.uint32(82).bytes(e.extensionSignature),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Rr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.type = n.int32()
            break
          case 2:
            r.height = n.int64()
            break
          case 3:
            r.round = n.int32()
            break
          case 4:
            r.blockId = h.BlockID.decode(n, n.uint32())
            break
          case 5:
            r.timestamp = z.Timestamp.decode(n, n.uint32())
            break
          case 6:
            r.validatorAddress = n.bytes()
            break
          case 7:
            r.validatorIndex = n.int32()
            break
          case 8:
            r.signature = n.bytes()
            break
          case 9:
            r.extension = n.bytes()
            break
          case 10:
            r.extensionSignature = n.bytes()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Rr()
      return (
        (0, u.isSet)(e.type) && (t.type = Vr(e.type)),
        (0, u.isSet)(e.height) && (t.height = BigInt(e.height.toString())),
        (0, u.isSet)(e.round) && (t.round = Number(e.round)),
        (0, u.isSet)(e.blockId) && (t.blockId = h.BlockID.fromJSON(e.blockId)),
        (0, u.isSet)(e.timestamp) && (t.timestamp = (0, u.fromJsonTimestamp)(e.timestamp)),
        (0, u.isSet)(e.validatorAddress) &&
          (t.validatorAddress = (0, u.bytesFromBase64)(e.validatorAddress)),
        (0, u.isSet)(e.validatorIndex) && (t.validatorIndex = Number(e.validatorIndex)),
        (0, u.isSet)(e.signature) && (t.signature = (0, u.bytesFromBase64)(e.signature)),
        (0, u.isSet)(e.extension) && (t.extension = (0, u.bytesFromBase64)(e.extension)),
        (0, u.isSet)(e.extensionSignature) &&
          (t.extensionSignature = (0, u.bytesFromBase64)(e.extensionSignature)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.type !== void 0 && (t.type = Gr(e.type)),
        e.height !== void 0 && (t.height = (e.height || BigInt(0)).toString()),
        e.round !== void 0 && (t.round = Math.round(e.round)),
        e.blockId !== void 0 && (t.blockId = e.blockId ? h.BlockID.toJSON(e.blockId) : void 0),
        e.timestamp !== void 0 && (t.timestamp = (0, u.fromTimestamp)(e.timestamp).toISOString()),
        e.validatorAddress !== void 0 &&
          (t.validatorAddress = (0, u.base64FromBytes)(
            e.validatorAddress !== void 0 ? e.validatorAddress : new Uint8Array(),
          )),
        e.validatorIndex !== void 0 && (t.validatorIndex = Math.round(e.validatorIndex)),
        e.signature !== void 0 &&
          (t.signature = (0, u.base64FromBytes)(
            e.signature !== void 0 ? e.signature : new Uint8Array(),
          )),
        e.extension !== void 0 &&
          (t.extension = (0, u.base64FromBytes)(
            e.extension !== void 0 ? e.extension : new Uint8Array(),
          )),
        e.extensionSignature !== void 0 &&
          (t.extensionSignature = (0, u.base64FromBytes)(
            e.extensionSignature !== void 0 ? e.extensionSignature : new Uint8Array(),
          )),
        t
      )
    },
    fromPartial(e) {
      const t = Rr()
      return (
        (t.type = e.type ?? 0),
        e.height !== void 0 && e.height !== null && (t.height = BigInt(e.height.toString())),
        (t.round = e.round ?? 0),
        e.blockId !== void 0 &&
          e.blockId !== null &&
          (t.blockId = h.BlockID.fromPartial(e.blockId)),
        e.timestamp !== void 0 &&
          e.timestamp !== null &&
          (t.timestamp = z.Timestamp.fromPartial(e.timestamp)),
        (t.validatorAddress = e.validatorAddress ?? new Uint8Array()),
        (t.validatorIndex = e.validatorIndex ?? 0),
        (t.signature = e.signature ?? new Uint8Array()),
        (t.extension = e.extension ?? new Uint8Array()),
        (t.extensionSignature = e.extensionSignature ?? new Uint8Array()),
        t
      )
    },
  }
  function Ur() {
    return { height: BigInt(0), round: 0, blockId: h.BlockID.fromPartial({}), signatures: [] }
  }
  h.Commit = {
    typeUrl: '/tendermint.types.Commit',
    encode(e, t = E.BinaryWriter.create()) {
      e.height !== BigInt(0) && t.uint32(8).int64(e.height),
        e.round !== 0 && t.uint32(16).int32(e.round),
        e.blockId !== void 0 && h.BlockID.encode(e.blockId, t.uint32(26).fork()).ldelim()
      for (const n of e.signatures) h.CommitSig.encode(n, t.uint32(34).fork()).ldelim()
      return t
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Ur()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.height = n.int64()
            break
          case 2:
            r.round = n.int32()
            break
          case 3:
            r.blockId = h.BlockID.decode(n, n.uint32())
            break
          case 4:
            r.signatures.push(h.CommitSig.decode(n, n.uint32()))
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Ur()
      return (
        (0, u.isSet)(e.height) && (t.height = BigInt(e.height.toString())),
        (0, u.isSet)(e.round) && (t.round = Number(e.round)),
        (0, u.isSet)(e.blockId) && (t.blockId = h.BlockID.fromJSON(e.blockId)),
        Array.isArray(e?.signatures) &&
          (t.signatures = e.signatures.map((n) => h.CommitSig.fromJSON(n))),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.height !== void 0 && (t.height = (e.height || BigInt(0)).toString()),
        e.round !== void 0 && (t.round = Math.round(e.round)),
        e.blockId !== void 0 && (t.blockId = e.blockId ? h.BlockID.toJSON(e.blockId) : void 0),
        e.signatures
          ? (t.signatures = e.signatures.map((n) => (n ? h.CommitSig.toJSON(n) : void 0)))
          : (t.signatures = []),
        t
      )
    },
    fromPartial(e) {
      const t = Ur()
      return (
        e.height !== void 0 && e.height !== null && (t.height = BigInt(e.height.toString())),
        (t.round = e.round ?? 0),
        e.blockId !== void 0 &&
          e.blockId !== null &&
          (t.blockId = h.BlockID.fromPartial(e.blockId)),
        (t.signatures = e.signatures?.map((n) => h.CommitSig.fromPartial(n)) || []),
        t
      )
    },
  }
  function Hr() {
    return {
      blockIdFlag: 0,
      validatorAddress: new Uint8Array(),
      timestamp: z.Timestamp.fromPartial({}),
      signature: new Uint8Array(),
    }
  }
  h.CommitSig = {
    typeUrl: '/tendermint.types.CommitSig',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.blockIdFlag !== 0 && t.uint32(8).int32(e.blockIdFlag),
        e.validatorAddress.length !== 0 && t.uint32(18).bytes(e.validatorAddress),
        e.timestamp !== void 0 && z.Timestamp.encode(e.timestamp, t.uint32(26).fork()).ldelim(),
        e.signature.length !== 0 && t.uint32(34).bytes(e.signature),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Hr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.blockIdFlag = n.int32()
            break
          case 2:
            r.validatorAddress = n.bytes()
            break
          case 3:
            r.timestamp = z.Timestamp.decode(n, n.uint32())
            break
          case 4:
            r.signature = n.bytes()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Hr()
      return (
        (0, u.isSet)(e.blockIdFlag) && (t.blockIdFlag = (0, Te.blockIDFlagFromJSON)(e.blockIdFlag)),
        (0, u.isSet)(e.validatorAddress) &&
          (t.validatorAddress = (0, u.bytesFromBase64)(e.validatorAddress)),
        (0, u.isSet)(e.timestamp) && (t.timestamp = (0, u.fromJsonTimestamp)(e.timestamp)),
        (0, u.isSet)(e.signature) && (t.signature = (0, u.bytesFromBase64)(e.signature)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.blockIdFlag !== void 0 && (t.blockIdFlag = (0, Te.blockIDFlagToJSON)(e.blockIdFlag)),
        e.validatorAddress !== void 0 &&
          (t.validatorAddress = (0, u.base64FromBytes)(
            e.validatorAddress !== void 0 ? e.validatorAddress : new Uint8Array(),
          )),
        e.timestamp !== void 0 && (t.timestamp = (0, u.fromTimestamp)(e.timestamp).toISOString()),
        e.signature !== void 0 &&
          (t.signature = (0, u.base64FromBytes)(
            e.signature !== void 0 ? e.signature : new Uint8Array(),
          )),
        t
      )
    },
    fromPartial(e) {
      const t = Hr()
      return (
        (t.blockIdFlag = e.blockIdFlag ?? 0),
        (t.validatorAddress = e.validatorAddress ?? new Uint8Array()),
        e.timestamp !== void 0 &&
          e.timestamp !== null &&
          (t.timestamp = z.Timestamp.fromPartial(e.timestamp)),
        (t.signature = e.signature ?? new Uint8Array()),
        t
      )
    },
  }
  function Cr() {
    return {
      height: BigInt(0),
      round: 0,
      blockId: h.BlockID.fromPartial({}),
      extendedSignatures: [],
    }
  }
  h.ExtendedCommit = {
    typeUrl: '/tendermint.types.ExtendedCommit',
    encode(e, t = E.BinaryWriter.create()) {
      e.height !== BigInt(0) && t.uint32(8).int64(e.height),
        e.round !== 0 && t.uint32(16).int32(e.round),
        e.blockId !== void 0 && h.BlockID.encode(e.blockId, t.uint32(26).fork()).ldelim()
      for (const n of e.extendedSignatures)
        h.ExtendedCommitSig.encode(n, t.uint32(34).fork()).ldelim()
      return t
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Cr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.height = n.int64()
            break
          case 2:
            r.round = n.int32()
            break
          case 3:
            r.blockId = h.BlockID.decode(n, n.uint32())
            break
          case 4:
            r.extendedSignatures.push(h.ExtendedCommitSig.decode(n, n.uint32()))
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Cr()
      return (
        (0, u.isSet)(e.height) && (t.height = BigInt(e.height.toString())),
        (0, u.isSet)(e.round) && (t.round = Number(e.round)),
        (0, u.isSet)(e.blockId) && (t.blockId = h.BlockID.fromJSON(e.blockId)),
        Array.isArray(e?.extendedSignatures) &&
          (t.extendedSignatures = e.extendedSignatures.map((n) => h.ExtendedCommitSig.fromJSON(n))),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.height !== void 0 && (t.height = (e.height || BigInt(0)).toString()),
        e.round !== void 0 && (t.round = Math.round(e.round)),
        e.blockId !== void 0 && (t.blockId = e.blockId ? h.BlockID.toJSON(e.blockId) : void 0),
        e.extendedSignatures
          ? (t.extendedSignatures = e.extendedSignatures.map((n) =>
              n ? h.ExtendedCommitSig.toJSON(n) : void 0,
            ))
          : (t.extendedSignatures = []),
        t
      )
    },
    fromPartial(e) {
      const t = Cr()
      return (
        e.height !== void 0 && e.height !== null && (t.height = BigInt(e.height.toString())),
        (t.round = e.round ?? 0),
        e.blockId !== void 0 &&
          e.blockId !== null &&
          (t.blockId = h.BlockID.fromPartial(e.blockId)),
        (t.extendedSignatures =
          e.extendedSignatures?.map((n) => h.ExtendedCommitSig.fromPartial(n)) || []),
        t
      )
    },
  }
  function Fr() {
    return {
      blockIdFlag: 0,
      validatorAddress: new Uint8Array(),
      timestamp: z.Timestamp.fromPartial({}),
      signature: new Uint8Array(),
      extension: new Uint8Array(),
      extensionSignature: new Uint8Array(),
    }
  }
  h.ExtendedCommitSig = {
    typeUrl: '/tendermint.types.ExtendedCommitSig',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.blockIdFlag !== 0 && t.uint32(8).int32(e.blockIdFlag),
        e.validatorAddress.length !== 0 && t.uint32(18).bytes(e.validatorAddress),
        e.timestamp !== void 0 && z.Timestamp.encode(e.timestamp, t.uint32(26).fork()).ldelim(),
        e.signature.length !== 0 && t.uint32(34).bytes(e.signature),
        e.extension.length !== 0 && t.uint32(42).bytes(e.extension),
        e.extensionSignature.length !== 0 && t.uint32(50).bytes(e.extensionSignature),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Fr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.blockIdFlag = n.int32()
            break
          case 2:
            r.validatorAddress = n.bytes()
            break
          case 3:
            r.timestamp = z.Timestamp.decode(n, n.uint32())
            break
          case 4:
            r.signature = n.bytes()
            break
          case 5:
            r.extension = n.bytes()
            break
          case 6:
            r.extensionSignature = n.bytes()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Fr()
      return (
        (0, u.isSet)(e.blockIdFlag) && (t.blockIdFlag = (0, Te.blockIDFlagFromJSON)(e.blockIdFlag)),
        (0, u.isSet)(e.validatorAddress) &&
          (t.validatorAddress = (0, u.bytesFromBase64)(e.validatorAddress)),
        (0, u.isSet)(e.timestamp) && (t.timestamp = (0, u.fromJsonTimestamp)(e.timestamp)),
        (0, u.isSet)(e.signature) && (t.signature = (0, u.bytesFromBase64)(e.signature)),
        (0, u.isSet)(e.extension) && (t.extension = (0, u.bytesFromBase64)(e.extension)),
        (0, u.isSet)(e.extensionSignature) &&
          (t.extensionSignature = (0, u.bytesFromBase64)(e.extensionSignature)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.blockIdFlag !== void 0 && (t.blockIdFlag = (0, Te.blockIDFlagToJSON)(e.blockIdFlag)),
        e.validatorAddress !== void 0 &&
          (t.validatorAddress = (0, u.base64FromBytes)(
            e.validatorAddress !== void 0 ? e.validatorAddress : new Uint8Array(),
          )),
        e.timestamp !== void 0 && (t.timestamp = (0, u.fromTimestamp)(e.timestamp).toISOString()),
        e.signature !== void 0 &&
          (t.signature = (0, u.base64FromBytes)(
            e.signature !== void 0 ? e.signature : new Uint8Array(),
          )),
        e.extension !== void 0 &&
          (t.extension = (0, u.base64FromBytes)(
            e.extension !== void 0 ? e.extension : new Uint8Array(),
          )),
        e.extensionSignature !== void 0 &&
          (t.extensionSignature = (0, u.base64FromBytes)(
            e.extensionSignature !== void 0 ? e.extensionSignature : new Uint8Array(),
          )),
        t
      )
    },
    fromPartial(e) {
      const t = Fr()
      return (
        (t.blockIdFlag = e.blockIdFlag ?? 0),
        (t.validatorAddress = e.validatorAddress ?? new Uint8Array()),
        e.timestamp !== void 0 &&
          e.timestamp !== null &&
          (t.timestamp = z.Timestamp.fromPartial(e.timestamp)),
        (t.signature = e.signature ?? new Uint8Array()),
        (t.extension = e.extension ?? new Uint8Array()),
        (t.extensionSignature = e.extensionSignature ?? new Uint8Array()),
        t
      )
    },
  }
  function Lr() {
    return {
      type: 0,
      height: BigInt(0),
      round: 0,
      polRound: 0,
      blockId: h.BlockID.fromPartial({}),
      timestamp: z.Timestamp.fromPartial({}),
      signature: new Uint8Array(),
    }
  }
  h.Proposal = {
    typeUrl: '/tendermint.types.Proposal',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.type !== 0 && t.uint32(8).int32(e.type),
        e.height !== BigInt(0) && t.uint32(16).int64(e.height),
        e.round !== 0 && t.uint32(24).int32(e.round),
        e.polRound !== 0 && t.uint32(32).int32(e.polRound),
        e.blockId !== void 0 && h.BlockID.encode(e.blockId, t.uint32(42).fork()).ldelim(),
        e.timestamp !== void 0 && z.Timestamp.encode(e.timestamp, t.uint32(50).fork()).ldelim(),
        e.signature.length !== 0 && t.uint32(58).bytes(e.signature),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Lr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.type = n.int32()
            break
          case 2:
            r.height = n.int64()
            break
          case 3:
            r.round = n.int32()
            break
          case 4:
            r.polRound = n.int32()
            break
          case 5:
            r.blockId = h.BlockID.decode(n, n.uint32())
            break
          case 6:
            r.timestamp = z.Timestamp.decode(n, n.uint32())
            break
          case 7:
            r.signature = n.bytes()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Lr()
      return (
        (0, u.isSet)(e.type) && (t.type = Vr(e.type)),
        (0, u.isSet)(e.height) && (t.height = BigInt(e.height.toString())),
        (0, u.isSet)(e.round) && (t.round = Number(e.round)),
        (0, u.isSet)(e.polRound) && (t.polRound = Number(e.polRound)),
        (0, u.isSet)(e.blockId) && (t.blockId = h.BlockID.fromJSON(e.blockId)),
        (0, u.isSet)(e.timestamp) && (t.timestamp = (0, u.fromJsonTimestamp)(e.timestamp)),
        (0, u.isSet)(e.signature) && (t.signature = (0, u.bytesFromBase64)(e.signature)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.type !== void 0 && (t.type = Gr(e.type)),
        e.height !== void 0 && (t.height = (e.height || BigInt(0)).toString()),
        e.round !== void 0 && (t.round = Math.round(e.round)),
        e.polRound !== void 0 && (t.polRound = Math.round(e.polRound)),
        e.blockId !== void 0 && (t.blockId = e.blockId ? h.BlockID.toJSON(e.blockId) : void 0),
        e.timestamp !== void 0 && (t.timestamp = (0, u.fromTimestamp)(e.timestamp).toISOString()),
        e.signature !== void 0 &&
          (t.signature = (0, u.base64FromBytes)(
            e.signature !== void 0 ? e.signature : new Uint8Array(),
          )),
        t
      )
    },
    fromPartial(e) {
      const t = Lr()
      return (
        (t.type = e.type ?? 0),
        e.height !== void 0 && e.height !== null && (t.height = BigInt(e.height.toString())),
        (t.round = e.round ?? 0),
        (t.polRound = e.polRound ?? 0),
        e.blockId !== void 0 &&
          e.blockId !== null &&
          (t.blockId = h.BlockID.fromPartial(e.blockId)),
        e.timestamp !== void 0 &&
          e.timestamp !== null &&
          (t.timestamp = z.Timestamp.fromPartial(e.timestamp)),
        (t.signature = e.signature ?? new Uint8Array()),
        t
      )
    },
  }
  function Dr() {
    return { header: void 0, commit: void 0 }
  }
  h.SignedHeader = {
    typeUrl: '/tendermint.types.SignedHeader',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.header !== void 0 && h.Header.encode(e.header, t.uint32(10).fork()).ldelim(),
        e.commit !== void 0 && h.Commit.encode(e.commit, t.uint32(18).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Dr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.header = h.Header.decode(n, n.uint32())
            break
          case 2:
            r.commit = h.Commit.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Dr()
      return (
        (0, u.isSet)(e.header) && (t.header = h.Header.fromJSON(e.header)),
        (0, u.isSet)(e.commit) && (t.commit = h.Commit.fromJSON(e.commit)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.header !== void 0 && (t.header = e.header ? h.Header.toJSON(e.header) : void 0),
        e.commit !== void 0 && (t.commit = e.commit ? h.Commit.toJSON(e.commit) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = Dr()
      return (
        e.header !== void 0 && e.header !== null && (t.header = h.Header.fromPartial(e.header)),
        e.commit !== void 0 && e.commit !== null && (t.commit = h.Commit.fromPartial(e.commit)),
        t
      )
    },
  }
  function Jr() {
    return { signedHeader: void 0, validatorSet: void 0 }
  }
  h.LightBlock = {
    typeUrl: '/tendermint.types.LightBlock',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.signedHeader !== void 0 &&
          h.SignedHeader.encode(e.signedHeader, t.uint32(10).fork()).ldelim(),
        e.validatorSet !== void 0 &&
          Te.ValidatorSet.encode(e.validatorSet, t.uint32(18).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Jr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.signedHeader = h.SignedHeader.decode(n, n.uint32())
            break
          case 2:
            r.validatorSet = Te.ValidatorSet.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Jr()
      return (
        (0, u.isSet)(e.signedHeader) && (t.signedHeader = h.SignedHeader.fromJSON(e.signedHeader)),
        (0, u.isSet)(e.validatorSet) && (t.validatorSet = Te.ValidatorSet.fromJSON(e.validatorSet)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.signedHeader !== void 0 &&
          (t.signedHeader = e.signedHeader ? h.SignedHeader.toJSON(e.signedHeader) : void 0),
        e.validatorSet !== void 0 &&
          (t.validatorSet = e.validatorSet ? Te.ValidatorSet.toJSON(e.validatorSet) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = Jr()
      return (
        e.signedHeader !== void 0 &&
          e.signedHeader !== null &&
          (t.signedHeader = h.SignedHeader.fromPartial(e.signedHeader)),
        e.validatorSet !== void 0 &&
          e.validatorSet !== null &&
          (t.validatorSet = Te.ValidatorSet.fromPartial(e.validatorSet)),
        t
      )
    },
  }
  function Mr() {
    return {
      blockId: h.BlockID.fromPartial({}),
      blockSize: BigInt(0),
      header: h.Header.fromPartial({}),
      numTxs: BigInt(0),
    }
  }
  h.BlockMeta = {
    typeUrl: '/tendermint.types.BlockMeta',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.blockId !== void 0 && h.BlockID.encode(e.blockId, t.uint32(10).fork()).ldelim(),
        e.blockSize !== BigInt(0) && t.uint32(16).int64(e.blockSize),
        e.header !== void 0 && h.Header.encode(e.header, t.uint32(26).fork()).ldelim(),
        e.numTxs !== BigInt(0) && t.uint32(32).int64(e.numTxs),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = Mr()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.blockId = h.BlockID.decode(n, n.uint32())
            break
          case 2:
            r.blockSize = n.int64()
            break
          case 3:
            r.header = h.Header.decode(n, n.uint32())
            break
          case 4:
            r.numTxs = n.int64()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = Mr()
      return (
        (0, u.isSet)(e.blockId) && (t.blockId = h.BlockID.fromJSON(e.blockId)),
        (0, u.isSet)(e.blockSize) && (t.blockSize = BigInt(e.blockSize.toString())),
        (0, u.isSet)(e.header) && (t.header = h.Header.fromJSON(e.header)),
        (0, u.isSet)(e.numTxs) && (t.numTxs = BigInt(e.numTxs.toString())),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.blockId !== void 0 && (t.blockId = e.blockId ? h.BlockID.toJSON(e.blockId) : void 0),
        e.blockSize !== void 0 && (t.blockSize = (e.blockSize || BigInt(0)).toString()),
        e.header !== void 0 && (t.header = e.header ? h.Header.toJSON(e.header) : void 0),
        e.numTxs !== void 0 && (t.numTxs = (e.numTxs || BigInt(0)).toString()),
        t
      )
    },
    fromPartial(e) {
      const t = Mr()
      return (
        e.blockId !== void 0 &&
          e.blockId !== null &&
          (t.blockId = h.BlockID.fromPartial(e.blockId)),
        e.blockSize !== void 0 &&
          e.blockSize !== null &&
          (t.blockSize = BigInt(e.blockSize.toString())),
        e.header !== void 0 && e.header !== null && (t.header = h.Header.fromPartial(e.header)),
        e.numTxs !== void 0 && e.numTxs !== null && (t.numTxs = BigInt(e.numTxs.toString())),
        t
      )
    },
  }
  function $r() {
    return { rootHash: new Uint8Array(), data: new Uint8Array(), proof: void 0 }
  }
  h.TxProof = {
    typeUrl: '/tendermint.types.TxProof',
    encode(e, t = E.BinaryWriter.create()) {
      return (
        e.rootHash.length !== 0 && t.uint32(10).bytes(e.rootHash),
        e.data.length !== 0 && t.uint32(18).bytes(e.data),
        e.proof !== void 0 && Be.Proof.encode(e.proof, t.uint32(26).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof E.BinaryReader ? e : new E.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = $r()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.rootHash = n.bytes()
            break
          case 2:
            r.data = n.bytes()
            break
          case 3:
            r.proof = Be.Proof.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = $r()
      return (
        (0, u.isSet)(e.rootHash) && (t.rootHash = (0, u.bytesFromBase64)(e.rootHash)),
        (0, u.isSet)(e.data) && (t.data = (0, u.bytesFromBase64)(e.data)),
        (0, u.isSet)(e.proof) && (t.proof = Be.Proof.fromJSON(e.proof)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.rootHash !== void 0 &&
          (t.rootHash = (0, u.base64FromBytes)(
            e.rootHash !== void 0 ? e.rootHash : new Uint8Array(),
          )),
        e.data !== void 0 &&
          (t.data = (0, u.base64FromBytes)(e.data !== void 0 ? e.data : new Uint8Array())),
        e.proof !== void 0 && (t.proof = e.proof ? Be.Proof.toJSON(e.proof) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = $r()
      return (
        (t.rootHash = e.rootHash ?? new Uint8Array()),
        (t.data = e.data ?? new Uint8Array()),
        e.proof !== void 0 && e.proof !== null && (t.proof = Be.Proof.fromPartial(e.proof)),
        t
      )
    },
  }
})
var Ls = W((c) => {
  Object.defineProperty(c, '__esModule', { value: !0 })
  c.CompressedNonExistenceProof =
    c.CompressedExistenceProof =
    c.CompressedBatchEntry =
    c.CompressedBatchProof =
    c.BatchEntry =
    c.BatchProof =
    c.InnerSpec =
    c.ProofSpec =
    c.InnerOp =
    c.LeafOp =
    c.CommitmentProof =
    c.NonExistenceProof =
    c.ExistenceProof =
    c.LengthOp =
    c.HashOp =
    c.protobufPackage =
      void 0
  c.hashOpFromJSON = xt
  c.hashOpToJSON = gt
  c.lengthOpFromJSON = Cs
  c.lengthOpToJSON = Fs
  var I = pe(),
    b = $e()
  c.protobufPackage = 'cosmos.ics23.v1'
  var te
  ;((e) => {
    ;(e[(e.NO_HASH = 0)] = 'NO_HASH'),
      (e[(e.SHA256 = 1)] = 'SHA256'),
      (e[(e.SHA512 = 2)] = 'SHA512'),
      (e[(e.KECCAK = 3)] = 'KECCAK'),
      (e[(e.RIPEMD160 = 4)] = 'RIPEMD160'),
      (e[(e.BITCOIN = 5)] = 'BITCOIN'),
      (e[(e.SHA512_256 = 6)] = 'SHA512_256'),
      (e[(e.UNRECOGNIZED = -1)] = 'UNRECOGNIZED')
  })(te || (c.HashOp = te = {}))
  function xt(e) {
    switch (e) {
      case 0:
      case 'NO_HASH':
        return te.NO_HASH
      case 1:
      case 'SHA256':
        return te.SHA256
      case 2:
      case 'SHA512':
        return te.SHA512
      case 3:
      case 'KECCAK':
        return te.KECCAK
      case 4:
      case 'RIPEMD160':
        return te.RIPEMD160
      case 5:
      case 'BITCOIN':
        return te.BITCOIN
      case 6:
      case 'SHA512_256':
        return te.SHA512_256
      default:
        return te.UNRECOGNIZED
    }
  }
  function gt(e) {
    switch (e) {
      case te.NO_HASH:
        return 'NO_HASH'
      case te.SHA256:
        return 'SHA256'
      case te.SHA512:
        return 'SHA512'
      case te.KECCAK:
        return 'KECCAK'
      case te.RIPEMD160:
        return 'RIPEMD160'
      case te.BITCOIN:
        return 'BITCOIN'
      case te.SHA512_256:
        return 'SHA512_256'
      case te.UNRECOGNIZED:
      default:
        return 'UNRECOGNIZED'
    }
  }
  var V
  ;((e) => {
    ;(e[(e.NO_PREFIX = 0)] = 'NO_PREFIX'),
      (e[(e.VAR_PROTO = 1)] = 'VAR_PROTO'),
      (e[(e.VAR_RLP = 2)] = 'VAR_RLP'),
      (e[(e.FIXED32_BIG = 3)] = 'FIXED32_BIG'),
      (e[(e.FIXED32_LITTLE = 4)] = 'FIXED32_LITTLE'),
      (e[(e.FIXED64_BIG = 5)] = 'FIXED64_BIG'),
      (e[(e.FIXED64_LITTLE = 6)] = 'FIXED64_LITTLE'),
      (e[(e.REQUIRE_32_BYTES = 7)] = 'REQUIRE_32_BYTES'),
      (e[(e.REQUIRE_64_BYTES = 8)] = 'REQUIRE_64_BYTES'),
      (e[(e.UNRECOGNIZED = -1)] = 'UNRECOGNIZED')
  })(V || (c.LengthOp = V = {}))
  function Cs(e) {
    switch (e) {
      case 0:
      case 'NO_PREFIX':
        return V.NO_PREFIX
      case 1:
      case 'VAR_PROTO':
        return V.VAR_PROTO
      case 2:
      case 'VAR_RLP':
        return V.VAR_RLP
      case 3:
      case 'FIXED32_BIG':
        return V.FIXED32_BIG
      case 4:
      case 'FIXED32_LITTLE':
        return V.FIXED32_LITTLE
      case 5:
      case 'FIXED64_BIG':
        return V.FIXED64_BIG
      case 6:
      case 'FIXED64_LITTLE':
        return V.FIXED64_LITTLE
      case 7:
      case 'REQUIRE_32_BYTES':
        return V.REQUIRE_32_BYTES
      case 8:
      case 'REQUIRE_64_BYTES':
        return V.REQUIRE_64_BYTES
      default:
        return V.UNRECOGNIZED
    }
  }
  function Fs(e) {
    switch (e) {
      case V.NO_PREFIX:
        return 'NO_PREFIX'
      case V.VAR_PROTO:
        return 'VAR_PROTO'
      case V.VAR_RLP:
        return 'VAR_RLP'
      case V.FIXED32_BIG:
        return 'FIXED32_BIG'
      case V.FIXED32_LITTLE:
        return 'FIXED32_LITTLE'
      case V.FIXED64_BIG:
        return 'FIXED64_BIG'
      case V.FIXED64_LITTLE:
        return 'FIXED64_LITTLE'
      case V.REQUIRE_32_BYTES:
        return 'REQUIRE_32_BYTES'
      case V.REQUIRE_64_BYTES:
        return 'REQUIRE_64_BYTES'
      case V.UNRECOGNIZED:
      default:
        return 'UNRECOGNIZED'
    }
  }
  function eo() {
    return { key: new Uint8Array(), value: new Uint8Array(), leaf: void 0, path: [] }
  }
  c.ExistenceProof = {
    typeUrl: '/cosmos.ics23.v1.ExistenceProof',
    encode(e, t = I.BinaryWriter.create()) {
      e.key.length !== 0 && t.uint32(10).bytes(e.key),
        e.value.length !== 0 && t.uint32(18).bytes(e.value),
        e.leaf !== void 0 && c.LeafOp.encode(e.leaf, t.uint32(26).fork()).ldelim()
      for (const n of e.path) c.InnerOp.encode(n, t.uint32(34).fork()).ldelim()
      return t
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = eo()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.key = n.bytes()
            break
          case 2:
            r.value = n.bytes()
            break
          case 3:
            r.leaf = c.LeafOp.decode(n, n.uint32())
            break
          case 4:
            r.path.push(c.InnerOp.decode(n, n.uint32()))
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = eo()
      return (
        (0, b.isSet)(e.key) && (t.key = (0, b.bytesFromBase64)(e.key)),
        (0, b.isSet)(e.value) && (t.value = (0, b.bytesFromBase64)(e.value)),
        (0, b.isSet)(e.leaf) && (t.leaf = c.LeafOp.fromJSON(e.leaf)),
        Array.isArray(e?.path) && (t.path = e.path.map((n) => c.InnerOp.fromJSON(n))),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.key !== void 0 &&
          (t.key = (0, b.base64FromBytes)(e.key !== void 0 ? e.key : new Uint8Array())),
        e.value !== void 0 &&
          (t.value = (0, b.base64FromBytes)(e.value !== void 0 ? e.value : new Uint8Array())),
        e.leaf !== void 0 && (t.leaf = e.leaf ? c.LeafOp.toJSON(e.leaf) : void 0),
        e.path ? (t.path = e.path.map((n) => (n ? c.InnerOp.toJSON(n) : void 0))) : (t.path = []),
        t
      )
    },
    fromPartial(e) {
      const t = eo()
      return (
        (t.key = e.key ?? new Uint8Array()),
        (t.value = e.value ?? new Uint8Array()),
        e.leaf !== void 0 && e.leaf !== null && (t.leaf = c.LeafOp.fromPartial(e.leaf)),
        (t.path = e.path?.map((n) => c.InnerOp.fromPartial(n)) || []),
        t
      )
    },
  }
  function to() {
    return { key: new Uint8Array(), left: void 0, right: void 0 }
  }
  c.NonExistenceProof = {
    typeUrl: '/cosmos.ics23.v1.NonExistenceProof',
    encode(e, t = I.BinaryWriter.create()) {
      return (
        e.key.length !== 0 && t.uint32(10).bytes(e.key),
        e.left !== void 0 && c.ExistenceProof.encode(e.left, t.uint32(18).fork()).ldelim(),
        e.right !== void 0 && c.ExistenceProof.encode(e.right, t.uint32(26).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = to()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.key = n.bytes()
            break
          case 2:
            r.left = c.ExistenceProof.decode(n, n.uint32())
            break
          case 3:
            r.right = c.ExistenceProof.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = to()
      return (
        (0, b.isSet)(e.key) && (t.key = (0, b.bytesFromBase64)(e.key)),
        (0, b.isSet)(e.left) && (t.left = c.ExistenceProof.fromJSON(e.left)),
        (0, b.isSet)(e.right) && (t.right = c.ExistenceProof.fromJSON(e.right)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.key !== void 0 &&
          (t.key = (0, b.base64FromBytes)(e.key !== void 0 ? e.key : new Uint8Array())),
        e.left !== void 0 && (t.left = e.left ? c.ExistenceProof.toJSON(e.left) : void 0),
        e.right !== void 0 && (t.right = e.right ? c.ExistenceProof.toJSON(e.right) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = to()
      return (
        (t.key = e.key ?? new Uint8Array()),
        e.left !== void 0 && e.left !== null && (t.left = c.ExistenceProof.fromPartial(e.left)),
        e.right !== void 0 && e.right !== null && (t.right = c.ExistenceProof.fromPartial(e.right)),
        t
      )
    },
  }
  function no() {
    return { exist: void 0, nonexist: void 0, batch: void 0, compressed: void 0 }
  }
  c.CommitmentProof = {
    typeUrl: '/cosmos.ics23.v1.CommitmentProof',
    encode(e, t = I.BinaryWriter.create()) {
      return (
        e.exist !== void 0 && c.ExistenceProof.encode(e.exist, t.uint32(10).fork()).ldelim(),
        e.nonexist !== void 0 &&
          c.NonExistenceProof.encode(e.nonexist, t.uint32(18).fork()).ldelim(),
        e.batch !== void 0 && c.BatchProof.encode(e.batch, t.uint32(26).fork()).ldelim(),
        e.compressed !== void 0 &&
          c.CompressedBatchProof.encode(e.compressed, t.uint32(34).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = no()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.exist = c.ExistenceProof.decode(n, n.uint32())
            break
          case 2:
            r.nonexist = c.NonExistenceProof.decode(n, n.uint32())
            break
          case 3:
            r.batch = c.BatchProof.decode(n, n.uint32())
            break
          case 4:
            r.compressed = c.CompressedBatchProof.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = no()
      return (
        (0, b.isSet)(e.exist) && (t.exist = c.ExistenceProof.fromJSON(e.exist)),
        (0, b.isSet)(e.nonexist) && (t.nonexist = c.NonExistenceProof.fromJSON(e.nonexist)),
        (0, b.isSet)(e.batch) && (t.batch = c.BatchProof.fromJSON(e.batch)),
        (0, b.isSet)(e.compressed) &&
          (t.compressed = c.CompressedBatchProof.fromJSON(e.compressed)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.exist !== void 0 && (t.exist = e.exist ? c.ExistenceProof.toJSON(e.exist) : void 0),
        e.nonexist !== void 0 &&
          (t.nonexist = e.nonexist ? c.NonExistenceProof.toJSON(e.nonexist) : void 0),
        e.batch !== void 0 && (t.batch = e.batch ? c.BatchProof.toJSON(e.batch) : void 0),
        e.compressed !== void 0 &&
          (t.compressed = e.compressed ? c.CompressedBatchProof.toJSON(e.compressed) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = no()
      return (
        e.exist !== void 0 && e.exist !== null && (t.exist = c.ExistenceProof.fromPartial(e.exist)),
        e.nonexist !== void 0 &&
          e.nonexist !== null &&
          (t.nonexist = c.NonExistenceProof.fromPartial(e.nonexist)),
        e.batch !== void 0 && e.batch !== null && (t.batch = c.BatchProof.fromPartial(e.batch)),
        e.compressed !== void 0 &&
          e.compressed !== null &&
          (t.compressed = c.CompressedBatchProof.fromPartial(e.compressed)),
        t
      )
    },
  }
  function ro() {
    return { hash: 0, prehashKey: 0, prehashValue: 0, length: 0, prefix: new Uint8Array() }
  }
  c.LeafOp = {
    typeUrl: '/cosmos.ics23.v1.LeafOp',
    encode(e, t = I.BinaryWriter.create()) {
      return (
        e.hash !== 0 && t.uint32(8).int32(e.hash),
        e.prehashKey !== 0 && t.uint32(16).int32(e.prehashKey),
        e.prehashValue !== 0 && t.uint32(24).int32(e.prehashValue),
        e.length !== 0 && t.uint32(32).int32(e.length),
        e.prefix.length !== 0 && t.uint32(42).bytes(e.prefix),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = ro()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.hash = n.int32()
            break
          case 2:
            r.prehashKey = n.int32()
            break
          case 3:
            r.prehashValue = n.int32()
            break
          case 4:
            r.length = n.int32()
            break
          case 5:
            r.prefix = n.bytes()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = ro()
      return (
        (0, b.isSet)(e.hash) && (t.hash = xt(e.hash)),
        (0, b.isSet)(e.prehashKey) && (t.prehashKey = xt(e.prehashKey)),
        (0, b.isSet)(e.prehashValue) && (t.prehashValue = xt(e.prehashValue)),
        (0, b.isSet)(e.length) && (t.length = Cs(e.length)),
        (0, b.isSet)(e.prefix) && (t.prefix = (0, b.bytesFromBase64)(e.prefix)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.hash !== void 0 && (t.hash = gt(e.hash)),
        e.prehashKey !== void 0 && (t.prehashKey = gt(e.prehashKey)),
        e.prehashValue !== void 0 && (t.prehashValue = gt(e.prehashValue)),
        e.length !== void 0 && (t.length = Fs(e.length)),
        e.prefix !== void 0 &&
          (t.prefix = (0, b.base64FromBytes)(e.prefix !== void 0 ? e.prefix : new Uint8Array())),
        t
      )
    },
    fromPartial(e) {
      const t = ro()
      return (
        (t.hash = e.hash ?? 0),
        (t.prehashKey = e.prehashKey ?? 0),
        (t.prehashValue = e.prehashValue ?? 0),
        (t.length = e.length ?? 0),
        (t.prefix = e.prefix ?? new Uint8Array()),
        t
      )
    },
  }
  function oo() {
    return { hash: 0, prefix: new Uint8Array(), suffix: new Uint8Array() }
  }
  c.InnerOp = {
    typeUrl: '/cosmos.ics23.v1.InnerOp',
    encode(e, t = I.BinaryWriter.create()) {
      return (
        e.hash !== 0 && t.uint32(8).int32(e.hash),
        e.prefix.length !== 0 && t.uint32(18).bytes(e.prefix),
        e.suffix.length !== 0 && t.uint32(26).bytes(e.suffix),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = oo()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.hash = n.int32()
            break
          case 2:
            r.prefix = n.bytes()
            break
          case 3:
            r.suffix = n.bytes()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = oo()
      return (
        (0, b.isSet)(e.hash) && (t.hash = xt(e.hash)),
        (0, b.isSet)(e.prefix) && (t.prefix = (0, b.bytesFromBase64)(e.prefix)),
        (0, b.isSet)(e.suffix) && (t.suffix = (0, b.bytesFromBase64)(e.suffix)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.hash !== void 0 && (t.hash = gt(e.hash)),
        e.prefix !== void 0 &&
          (t.prefix = (0, b.base64FromBytes)(e.prefix !== void 0 ? e.prefix : new Uint8Array())),
        e.suffix !== void 0 &&
          (t.suffix = (0, b.base64FromBytes)(e.suffix !== void 0 ? e.suffix : new Uint8Array())),
        t
      )
    },
    fromPartial(e) {
      const t = oo()
      return (
        (t.hash = e.hash ?? 0),
        (t.prefix = e.prefix ?? new Uint8Array()),
        (t.suffix = e.suffix ?? new Uint8Array()),
        t
      )
    },
  }
  function io() {
    return { leafSpec: void 0, innerSpec: void 0, maxDepth: 0, minDepth: 0 }
  }
  c.ProofSpec = {
    typeUrl: '/cosmos.ics23.v1.ProofSpec',
    encode(e, t = I.BinaryWriter.create()) {
      return (
        e.leafSpec !== void 0 && c.LeafOp.encode(e.leafSpec, t.uint32(10).fork()).ldelim(),
        e.innerSpec !== void 0 && c.InnerSpec.encode(e.innerSpec, t.uint32(18).fork()).ldelim(),
        e.maxDepth !== 0 && t.uint32(24).int32(e.maxDepth),
        e.minDepth !== 0 && t.uint32(32).int32(e.minDepth),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = io()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.leafSpec = c.LeafOp.decode(n, n.uint32())
            break
          case 2:
            r.innerSpec = c.InnerSpec.decode(n, n.uint32())
            break
          case 3:
            r.maxDepth = n.int32()
            break
          case 4:
            r.minDepth = n.int32()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = io()
      return (
        (0, b.isSet)(e.leafSpec) && (t.leafSpec = c.LeafOp.fromJSON(e.leafSpec)),
        (0, b.isSet)(e.innerSpec) && (t.innerSpec = c.InnerSpec.fromJSON(e.innerSpec)),
        (0, b.isSet)(e.maxDepth) && (t.maxDepth = Number(e.maxDepth)),
        (0, b.isSet)(e.minDepth) && (t.minDepth = Number(e.minDepth)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.leafSpec !== void 0 && (t.leafSpec = e.leafSpec ? c.LeafOp.toJSON(e.leafSpec) : void 0),
        e.innerSpec !== void 0 &&
          (t.innerSpec = e.innerSpec ? c.InnerSpec.toJSON(e.innerSpec) : void 0),
        e.maxDepth !== void 0 && (t.maxDepth = Math.round(e.maxDepth)),
        e.minDepth !== void 0 && (t.minDepth = Math.round(e.minDepth)),
        t
      )
    },
    fromPartial(e) {
      const t = io()
      return (
        e.leafSpec !== void 0 &&
          e.leafSpec !== null &&
          (t.leafSpec = c.LeafOp.fromPartial(e.leafSpec)),
        e.innerSpec !== void 0 &&
          e.innerSpec !== null &&
          (t.innerSpec = c.InnerSpec.fromPartial(e.innerSpec)),
        (t.maxDepth = e.maxDepth ?? 0),
        (t.minDepth = e.minDepth ?? 0),
        t
      )
    },
  }
  function so() {
    return {
      childOrder: [],
      childSize: 0,
      minPrefixLength: 0,
      maxPrefixLength: 0,
      emptyChild: new Uint8Array(),
      hash: 0,
    }
  }
  c.InnerSpec = {
    typeUrl: '/cosmos.ics23.v1.InnerSpec',
    encode(e, t = I.BinaryWriter.create()) {
      t.uint32(10).fork()
      for (const n of e.childOrder) t.int32(n)
      return (
        t.ldelim(),
        e.childSize !== 0 && t.uint32(16).int32(e.childSize),
        e.minPrefixLength !== 0 && t.uint32(24).int32(e.minPrefixLength),
        e.maxPrefixLength !== 0 && t.uint32(32).int32(e.maxPrefixLength),
        e.emptyChild.length !== 0 && t.uint32(42).bytes(e.emptyChild),
        e.hash !== 0 && t.uint32(48).int32(e.hash),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = so()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            if ((i & 7) === 2) {
              const s = n.uint32() + n.pos
              for (; n.pos < s; ) r.childOrder.push(n.int32())
            } else r.childOrder.push(n.int32())
            break
          case 2:
            r.childSize = n.int32()
            break
          case 3:
            r.minPrefixLength = n.int32()
            break
          case 4:
            r.maxPrefixLength = n.int32()
            break
          case 5:
            r.emptyChild = n.bytes()
            break
          case 6:
            r.hash = n.int32()
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = so()
      return (
        Array.isArray(e?.childOrder) && (t.childOrder = e.childOrder.map((n) => Number(n))),
        (0, b.isSet)(e.childSize) && (t.childSize = Number(e.childSize)),
        (0, b.isSet)(e.minPrefixLength) && (t.minPrefixLength = Number(e.minPrefixLength)),
        (0, b.isSet)(e.maxPrefixLength) && (t.maxPrefixLength = Number(e.maxPrefixLength)),
        (0, b.isSet)(e.emptyChild) && (t.emptyChild = (0, b.bytesFromBase64)(e.emptyChild)),
        (0, b.isSet)(e.hash) && (t.hash = xt(e.hash)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.childOrder
          ? (t.childOrder = e.childOrder.map((n) => Math.round(n)))
          : (t.childOrder = []),
        e.childSize !== void 0 && (t.childSize = Math.round(e.childSize)),
        e.minPrefixLength !== void 0 && (t.minPrefixLength = Math.round(e.minPrefixLength)),
        e.maxPrefixLength !== void 0 && (t.maxPrefixLength = Math.round(e.maxPrefixLength)),
        e.emptyChild !== void 0 &&
          (t.emptyChild = (0, b.base64FromBytes)(
            e.emptyChild !== void 0 ? e.emptyChild : new Uint8Array(),
          )),
        e.hash !== void 0 && (t.hash = gt(e.hash)),
        t
      )
    },
    fromPartial(e) {
      const t = so()
      return (
        (t.childOrder = e.childOrder?.map((n) => n) || []),
        (t.childSize = e.childSize ?? 0),
        (t.minPrefixLength = e.minPrefixLength ?? 0),
        (t.maxPrefixLength = e.maxPrefixLength ?? 0),
        (t.emptyChild = e.emptyChild ?? new Uint8Array()),
        (t.hash = e.hash ?? 0),
        t
      )
    },
  }
  function ao() {
    return { entries: [] }
  }
  c.BatchProof = {
    typeUrl: '/cosmos.ics23.v1.BatchProof',
    encode(e, t = I.BinaryWriter.create()) {
      for (const n of e.entries) c.BatchEntry.encode(n, t.uint32(10).fork()).ldelim()
      return t
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = ao()
      for (; n.pos < o; ) {
        const i = n.uint32()
        i >>> 3 === 1 ? r.entries.push(c.BatchEntry.decode(n, n.uint32())) : n.skipType(i & 7)
      }
      return r
    },
    fromJSON(e) {
      const t = ao()
      return (
        Array.isArray(e?.entries) && (t.entries = e.entries.map((n) => c.BatchEntry.fromJSON(n))), t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.entries
          ? (t.entries = e.entries.map((n) => (n ? c.BatchEntry.toJSON(n) : void 0)))
          : (t.entries = []),
        t
      )
    },
    fromPartial(e) {
      const t = ao()
      return ((t.entries = e.entries?.map((n) => c.BatchEntry.fromPartial(n)) || []), t)
    },
  }
  function fo() {
    return { exist: void 0, nonexist: void 0 }
  }
  c.BatchEntry = {
    typeUrl: '/cosmos.ics23.v1.BatchEntry',
    encode(e, t = I.BinaryWriter.create()) {
      return (
        e.exist !== void 0 && c.ExistenceProof.encode(e.exist, t.uint32(10).fork()).ldelim(),
        e.nonexist !== void 0 &&
          c.NonExistenceProof.encode(e.nonexist, t.uint32(18).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = fo()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.exist = c.ExistenceProof.decode(n, n.uint32())
            break
          case 2:
            r.nonexist = c.NonExistenceProof.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = fo()
      return (
        (0, b.isSet)(e.exist) && (t.exist = c.ExistenceProof.fromJSON(e.exist)),
        (0, b.isSet)(e.nonexist) && (t.nonexist = c.NonExistenceProof.fromJSON(e.nonexist)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.exist !== void 0 && (t.exist = e.exist ? c.ExistenceProof.toJSON(e.exist) : void 0),
        e.nonexist !== void 0 &&
          (t.nonexist = e.nonexist ? c.NonExistenceProof.toJSON(e.nonexist) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = fo()
      return (
        e.exist !== void 0 && e.exist !== null && (t.exist = c.ExistenceProof.fromPartial(e.exist)),
        e.nonexist !== void 0 &&
          e.nonexist !== null &&
          (t.nonexist = c.NonExistenceProof.fromPartial(e.nonexist)),
        t
      )
    },
  }
  function co() {
    return { entries: [], lookupInners: [] }
  }
  c.CompressedBatchProof = {
    typeUrl: '/cosmos.ics23.v1.CompressedBatchProof',
    encode(e, t = I.BinaryWriter.create()) {
      for (const n of e.entries) c.CompressedBatchEntry.encode(n, t.uint32(10).fork()).ldelim()
      for (const n of e.lookupInners) c.InnerOp.encode(n, t.uint32(18).fork()).ldelim()
      return t
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = co()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.entries.push(c.CompressedBatchEntry.decode(n, n.uint32()))
            break
          case 2:
            r.lookupInners.push(c.InnerOp.decode(n, n.uint32()))
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = co()
      return (
        Array.isArray(e?.entries) &&
          (t.entries = e.entries.map((n) => c.CompressedBatchEntry.fromJSON(n))),
        Array.isArray(e?.lookupInners) &&
          (t.lookupInners = e.lookupInners.map((n) => c.InnerOp.fromJSON(n))),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.entries
          ? (t.entries = e.entries.map((n) => (n ? c.CompressedBatchEntry.toJSON(n) : void 0)))
          : (t.entries = []),
        e.lookupInners
          ? (t.lookupInners = e.lookupInners.map((n) => (n ? c.InnerOp.toJSON(n) : void 0)))
          : (t.lookupInners = []),
        t
      )
    },
    fromPartial(e) {
      const t = co()
      return (
        (t.entries = e.entries?.map((n) => c.CompressedBatchEntry.fromPartial(n)) || []),
        (t.lookupInners = e.lookupInners?.map((n) => c.InnerOp.fromPartial(n)) || []),
        t
      )
    },
  }
  function uo() {
    return { exist: void 0, nonexist: void 0 }
  }
  c.CompressedBatchEntry = {
    typeUrl: '/cosmos.ics23.v1.CompressedBatchEntry',
    encode(e, t = I.BinaryWriter.create()) {
      return (
        e.exist !== void 0 &&
          c.CompressedExistenceProof.encode(e.exist, t.uint32(10).fork()).ldelim(),
        e.nonexist !== void 0 &&
          c.CompressedNonExistenceProof.encode(e.nonexist, t.uint32(18).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = uo()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.exist = c.CompressedExistenceProof.decode(n, n.uint32())
            break
          case 2:
            r.nonexist = c.CompressedNonExistenceProof.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = uo()
      return (
        (0, b.isSet)(e.exist) && (t.exist = c.CompressedExistenceProof.fromJSON(e.exist)),
        (0, b.isSet)(e.nonexist) &&
          (t.nonexist = c.CompressedNonExistenceProof.fromJSON(e.nonexist)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.exist !== void 0 &&
          (t.exist = e.exist ? c.CompressedExistenceProof.toJSON(e.exist) : void 0),
        e.nonexist !== void 0 &&
          (t.nonexist = e.nonexist ? c.CompressedNonExistenceProof.toJSON(e.nonexist) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = uo()
      return (
        e.exist !== void 0 &&
          e.exist !== null &&
          (t.exist = c.CompressedExistenceProof.fromPartial(e.exist)),
        e.nonexist !== void 0 &&
          e.nonexist !== null &&
          (t.nonexist = c.CompressedNonExistenceProof.fromPartial(e.nonexist)),
        t
      )
    },
  }
  function lo() {
    return { key: new Uint8Array(), value: new Uint8Array(), leaf: void 0, path: [] }
  }
  c.CompressedExistenceProof = {
    typeUrl: '/cosmos.ics23.v1.CompressedExistenceProof',
    encode(e, t = I.BinaryWriter.create()) {
      e.key.length !== 0 && t.uint32(10).bytes(e.key),
        e.value.length !== 0 && t.uint32(18).bytes(e.value),
        e.leaf !== void 0 && c.LeafOp.encode(e.leaf, t.uint32(26).fork()).ldelim(),
        t.uint32(34).fork()
      for (const n of e.path) t.int32(n)
      return (t.ldelim(), t)
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = lo()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.key = n.bytes()
            break
          case 2:
            r.value = n.bytes()
            break
          case 3:
            r.leaf = c.LeafOp.decode(n, n.uint32())
            break
          case 4:
            if ((i & 7) === 2) {
              const s = n.uint32() + n.pos
              for (; n.pos < s; ) r.path.push(n.int32())
            } else r.path.push(n.int32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = lo()
      return (
        (0, b.isSet)(e.key) && (t.key = (0, b.bytesFromBase64)(e.key)),
        (0, b.isSet)(e.value) && (t.value = (0, b.bytesFromBase64)(e.value)),
        (0, b.isSet)(e.leaf) && (t.leaf = c.LeafOp.fromJSON(e.leaf)),
        Array.isArray(e?.path) && (t.path = e.path.map((n) => Number(n))),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.key !== void 0 &&
          (t.key = (0, b.base64FromBytes)(e.key !== void 0 ? e.key : new Uint8Array())),
        e.value !== void 0 &&
          (t.value = (0, b.base64FromBytes)(e.value !== void 0 ? e.value : new Uint8Array())),
        e.leaf !== void 0 && (t.leaf = e.leaf ? c.LeafOp.toJSON(e.leaf) : void 0),
        e.path ? (t.path = e.path.map((n) => Math.round(n))) : (t.path = []),
        t
      )
    },
    fromPartial(e) {
      const t = lo()
      return (
        (t.key = e.key ?? new Uint8Array()),
        (t.value = e.value ?? new Uint8Array()),
        e.leaf !== void 0 && e.leaf !== null && (t.leaf = c.LeafOp.fromPartial(e.leaf)),
        (t.path = e.path?.map((n) => n) || []),
        t
      )
    },
  }
  function ho() {
    return { key: new Uint8Array(), left: void 0, right: void 0 }
  }
  c.CompressedNonExistenceProof = {
    typeUrl: '/cosmos.ics23.v1.CompressedNonExistenceProof',
    encode(e, t = I.BinaryWriter.create()) {
      return (
        e.key.length !== 0 && t.uint32(10).bytes(e.key),
        e.left !== void 0 &&
          c.CompressedExistenceProof.encode(e.left, t.uint32(18).fork()).ldelim(),
        e.right !== void 0 &&
          c.CompressedExistenceProof.encode(e.right, t.uint32(26).fork()).ldelim(),
        t
      )
    },
    decode(e, t) {
      const n = e instanceof I.BinaryReader ? e : new I.BinaryReader(e),
        o = t === void 0 ? n.len : n.pos + t,
        r = ho()
      for (; n.pos < o; ) {
        const i = n.uint32()
        switch (i >>> 3) {
          case 1:
            r.key = n.bytes()
            break
          case 2:
            r.left = c.CompressedExistenceProof.decode(n, n.uint32())
            break
          case 3:
            r.right = c.CompressedExistenceProof.decode(n, n.uint32())
            break
          default:
            n.skipType(i & 7)
            break
        }
      }
      return r
    },
    fromJSON(e) {
      const t = ho()
      return (
        (0, b.isSet)(e.key) && (t.key = (0, b.bytesFromBase64)(e.key)),
        (0, b.isSet)(e.left) && (t.left = c.CompressedExistenceProof.fromJSON(e.left)),
        (0, b.isSet)(e.right) && (t.right = c.CompressedExistenceProof.fromJSON(e.right)),
        t
      )
    },
    toJSON(e) {
      const t = {}
      return (
        e.key !== void 0 &&
          (t.key = (0, b.base64FromBytes)(e.key !== void 0 ? e.key : new Uint8Array())),
        e.left !== void 0 && (t.left = e.left ? c.CompressedExistenceProof.toJSON(e.left) : void 0),
        e.right !== void 0 &&
          (t.right = e.right ? c.CompressedExistenceProof.toJSON(e.right) : void 0),
        t
      )
    },
    fromPartial(e) {
      const t = ho()
      return (
        (t.key = e.key ?? new Uint8Array()),
        e.left !== void 0 &&
          e.left !== null &&
          (t.left = c.CompressedExistenceProof.fromPartial(e.left)),
        e.right !== void 0 &&
          e.right !== null &&
          (t.right = c.CompressedExistenceProof.fromPartial(e.right)),
        t
      )
    },
  }
})
var ta = oe(ot(), 1)
var it = oe(ot(), 1)
var $ = class extends Error {
  code
  constructor(t, n) {
    super(n), (this.name = 'ProofError'), (this.code = t)
  }
}
function A(e, t, n) {
  if (!e) throw new $(t, n)
}
var rd = 2n ** 63n - 1n,
  od = /^(?:0|-?[1-9][0-9]{0,19})$/,
  id = (e) => {
    const t = (0, it.fromBase64)(e)
    if ((0, it.toBase64)(t) !== e) throw new RangeError('not canonical')
    return t
  },
  sd = (e, t) => t === void 0 || e.length === t,
  ue = (e, t = 'proof') => {
    const n = (s) => new $('malformed', `${t} must be ${s}.`),
      o = () => {
        if (typeof e != 'string') throw n('a text')
        return e
      },
      r = (s, a, d) => {
        const f = d === void 0 ? a : `${d} bytes in ${a}`
        try {
          const l = s(o())
          if (sd(l, d)) return l
        } catch {}
        throw n(f)
      },
      i = (s) =>
        typeof e != 'object' || e === null || !Object.hasOwn(e, s) ? null : ue(e[s], `${t}.${s}`)
    return {
      path: t,
      text: o,
      member: (s) => {
        const a = i(s)
        if (!a) throw n(`an object with "${s}"`)
        return a
      },
      optional: i,
      list: (s) => {
        if (!Array.isArray(e) || e.length > s) throw n(`a list of at most ${s} items`)
        return e.map((a, d) => ue(a, `${t}[${d}]`))
      },
      orNull: (s) => (e === null || e === '' ? null : s(ue(e, t))),
      integer: ({ from: s = 0n, to: a = rd } = {}) => {
        const d = Number.isSafeInteger(e) ? `${e}` : e
        if (typeof d == 'string' && od.test(d)) {
          const f = BigInt(d)
          if (f >= s && f <= a) return f
        }
        throw n(`a whole number from ${s} to ${a}`)
      },
      hex: (s) => r(it.fromHex, 'hex', s),
      base64: (s) => r(id, 'base64', s),
    }
  }
var Us = oe(ot(), 1)
function Qt(e) {
  return (
    e instanceof Uint8Array ||
    (ArrayBuffer.isView(e) &&
      e.constructor.name === 'Uint8Array' &&
      'BYTES_PER_ELEMENT' in e &&
      e.BYTES_PER_ELEMENT === 1)
  )
}
var Nn = (e) => (e ? `"${e}" ` : '')
function Et(e, t = '') {
  if (typeof e != 'number') throw new TypeError(Nn(t) + 'expected number, got ' + typeof e)
  if (!Number.isSafeInteger(e) || e < 0)
    throw new RangeError(Nn(t) + 'expected integer >= 0, got ' + e)
  return e
}
function Ie(e, t, n = '') {
  if (Qt(e) && (t === void 0 || e.length === t)) return e
  t !== void 0 && Et(t, 'length')
  const o = Qt(e),
    r = t !== void 0 ? ` of length ${t}` : '',
    i = o ? `length=${e.length}` : `type=${typeof e}`,
    s = Nn(n) + 'expected Uint8Array' + r + ', got ' + i
  throw o ? new RangeError(s) : new TypeError(s)
}
var ad = (e, t) => {
    if (e === null || typeof e != 'object' || Array.isArray(e))
      throw new TypeError(
        (t === 'object' ? '' : `"${t}" `) + 'expected object, got type=' + typeof e,
      )
  },
  ai = (e, t) => {
    ad(e, t)
    const n = Object.getPrototypeOf(e)
    if (n !== Object.prototype && n !== null) throw new TypeError(`"${t}" expected plain object`)
    if (Object.hasOwn(e, '__proto__')) throw new TypeError(`"${t}.__proto__" is not allowed`)
  }
function Tn(e, t = !0) {
  if (e.destroyed) throw new Error('hash was destroyed')
  if (t && e.finished) throw new Error('digest() was already called')
}
function fi(e, t) {
  Ie(e, void 0, 'output')
  const n = t.outputLen
  if (!(e.length >= n)) throw new RangeError('"output" expected length >= ' + n)
}
function It(...e) {
  for (let t = 0; t < e.length; t++) e[t].fill(0)
}
function jt(e) {
  return new DataView(e.buffer, e.byteOffset, e.byteLength)
}
function ge(e, t) {
  return (e << (32 - t)) | (e >>> t)
}
var ci = typeof Uint8Array.from([]).toHex == 'function' && typeof Uint8Array.fromHex == 'function',
  dd = Array.from({ length: 256 }, (e, t) => t.toString(16).padStart(2, '0'))
function en(e) {
  if ((Ie(e), ci)) return e.toHex()
  let t = ''
  for (let n = 0; n < e.length; n++) t += dd[e[n]]
  return t
}
function di(e) {
  return e >= 48 && e <= 57
    ? e - 48
    : e >= 65 && e <= 70
      ? e - 55
      : e >= 97 && e <= 102
        ? e - 87
        : void 0
}
function tn(e) {
  if (typeof e != 'string') throw new TypeError('hex string expected, got ' + typeof e)
  if (ci)
    try {
      return Uint8Array.fromHex(e)
    } catch (r) {
      throw r instanceof SyntaxError ? new RangeError(r.message) : r
    }
  const t = e.length,
    n = t / 2
  if (t % 2) throw new RangeError('hex string expected, got unpadded hex of length ' + t)
  const o = new Uint8Array(n)
  for (let r = 0, i = 0; r < n; r++, i += 2) {
    const s = di(e.charCodeAt(i)),
      a = di(e.charCodeAt(i + 1))
    if (s === void 0 || a === void 0) {
      const d = e[i] + e[i + 1]
      throw new RangeError('hex string expected, got non-hex character "' + d + '" at index ' + i)
    }
    o[r] = s * 16 + a
  }
  return o
}
function st(...e) {
  let t = 0
  for (let o = 0; o < e.length; o++) {
    const r = e[o]
    Ie(r), (t += r.length)
  }
  const n = new Uint8Array(t)
  for (let o = 0, r = 0; o < e.length; o++) {
    const i = e[o]
    n.set(i, r), (r += i.length)
  }
  return n
}
function fd(e, t, n = 'opts') {
  return (ai(e, 'defaults'), t !== void 0 && ai(t, n), Object.assign(Object.create(null), e, t))
}
function Rn(e, t = {}) {
  if (typeof e != 'function')
    throw new TypeError('"hashCons" expected function, got type=' + typeof e)
  t = fd({}, t, 'info')
  const n = (r, i) => e(i).update(r).digest(),
    o = e(void 0)
  return (
    (n.outputLen = o.outputLen),
    (n.blockLen = o.blockLen),
    (n.canXOF = o.canXOF),
    (n.create = (r) => e(r)),
    Object.assign(n, t),
    Object.freeze(n)
  )
}
function ui(e = 32) {
  Et(e, 'bytesLength')
  const t = typeof globalThis == 'object' ? globalThis.crypto : null
  if (typeof t?.getRandomValues != 'function')
    throw new Error('crypto.getRandomValues must be defined')
  if (e > 65536) throw new RangeError(`"bytesLength" expected <= 65536, got ${e}`)
  return t.getRandomValues(new Uint8Array(e))
}
var Un = (e) => ({ oid: Uint8Array.from([6, 9, 96, 134, 72, 1, 101, 3, 4, 2, e]) })
function rn(e, t, n = () => {}) {
  if (!Array.isArray(e)) throw new TypeError(`"${t}" expected array, got type=${typeof e}`)
  for (let o = 0; o < e.length; o++) n(e[o], `${t}[${o}]`)
  return e
}
var ne = (e, t, n) => Ie(e, t, n),
  Hn = Et
function He(e, t = 'object') {
  if (e === null || typeof e != 'object' || Array.isArray(e))
    throw new TypeError(
      t === 'object'
        ? 'expected valid options object'
        : `"${t}" expected object, got type=${typeof e}`,
    )
  return e
}
function Ze(e, t) {
  if (typeof e != 'function')
    throw new TypeError(`"${t}" is invalid: expected function, got ${typeof e}`)
  return e
}
var hi = en,
  ze = (...e) => st(...e),
  pi = (e) => tn(e),
  At = Qt,
  Cn = (e) => ui(e),
  nn = BigInt(0),
  li = BigInt(1),
  cd = (e) => (e ? `"${e}" ` : '')
function ve(e, t = '') {
  if (typeof e != 'boolean') throw new TypeError(cd(t) + 'expected boolean, got type=' + typeof e)
  return e
}
function ud(e) {
  if (typeof e == 'bigint') {
    if (!Ce(e)) throw new RangeError('positive bigint expected, got ' + e)
  } else Hn(e)
  return e
}
function at(e, t = '') {
  if (typeof e != 'number') {
    const n = t && `"${t}" `
    throw new TypeError(n + 'expected number, got type=' + typeof e)
  }
  if (!Number.isSafeInteger(e)) {
    const n = t && `"${t}" `
    throw new RangeError(n + 'expected safe integer, got ' + e)
  }
}
function yi(e) {
  if (typeof e != 'string') throw new TypeError('hex string expected, got ' + typeof e)
  return e === '' ? nn : BigInt('0x' + e)
}
function on(e) {
  return yi(en(e))
}
function dt(e) {
  return yi(en(Ot(Ie(e)).reverse()))
}
function Fn(e, t) {
  if ((Et(t), t === 0)) throw new Error('zero output length is invalid')
  e = ud(e)
  const n = t * 2,
    o = e.toString(16)
  if (o.length > n) throw new RangeError('number is too large')
  return tn(o.padStart(n, '0'))
}
function mi(e, t) {
  return Fn(e, t).reverse()
}
function re(e, t) {
  if (((e = ne(e)), (t = ne(t)), e.length !== t.length)) return !1
  let n = 0
  for (let o = 0; o < e.length; o++) n |= e[o] ^ t[o]
  return n === 0
}
function Ot(e) {
  return Uint8Array.from(ne(e))
}
function Ce(e) {
  return typeof e == 'bigint' && nn <= e
}
function Ln(e, t, n) {
  return Ce(e) && Ce(t) && Ce(n) && t <= e && e < n
}
function Dn(e, t, n, o) {
  if (!Ln(t, n, o))
    throw new RangeError('expected valid ' + e + ': ' + n + ' <= n < ' + o + ', got ' + t)
}
function Jn(e) {
  if (e < nn) throw new Error('expected non-negative bigint, got ' + e)
  return e === nn ? 0 : e.toString(2).length
}
var xi = (e) => (at(e, 'n'), (li << BigInt(e)) - li)
function Fe(e, t = {}, n = {}, o = 'object') {
  He(e, o), He(t, 'fields'), He(n, 'optFields')
  function r(s, a, d) {
    const f = o === 'object' ? `param "${String(s)}"` : `"${o}.${String(s)}"`,
      l = e[s]
    if (!Object.hasOwn(e, s) && (d ? l !== void 0 : a !== 'function'))
      throw new TypeError(`${f} is invalid: expected own property`)
    if (d && l === void 0) return
    const p = typeof l
    if (p !== a || l === null) throw new TypeError(`${f} is invalid: expected ${a}, got ${p}`)
  }
  const i = (s, a) => Object.entries(s).forEach(([d, f]) => r(d, f, a))
  i(t, !1), i(n, !0)
}
var ks = oe(ot(), 1)
var sn = BigInt(4294967295),
  gi = BigInt(32)
function ld(e, t = !1) {
  return t
    ? { h: Number(e & sn), l: Number((e >> gi) & sn) }
    : { h: Number((e >> gi) & sn) | 0, l: Number(e & sn) | 0 }
}
function bi(e, t = !1) {
  const n = e.length,
    o = new Uint32Array(n),
    r = new Uint32Array(n)
  for (let i = 0; i < n; i++) {
    const { h: s, l: a } = ld(e[i], t)
    ;[o[i], r[i]] = [s, a]
  }
  return [o, r]
}
var hd = (e) => (e / 2 ** 32) | 0,
  pd = (e) => e >>> 0
function Si(e, t, n, o) {
  const r = hd(n),
    i = pd(n)
  e.setUint32(t, o ? i : r, o), e.setUint32(t + 4, o ? r : i, o)
}
var Mn = (e, t, n) => e >>> n,
  $n = (e, t, n) => (e << (32 - n)) | (t >>> n),
  Ye = (e, t, n) => (e >>> n) | (t << (32 - n)),
  Xe = (e, t, n) => (e << (32 - n)) | (t >>> n),
  Pt = (e, t, n) => (e << (64 - n)) | (t >>> (n - 32)),
  _t = (e, t, n) => (e >>> (n - 32)) | (t << (64 - n))
function Ae(e, t, n, o) {
  const r = (t >>> 0) + (o >>> 0)
  return { h: (e + n + ((r / 2 ** 32) | 0)) | 0, l: r | 0 }
}
var Bi = (e, t, n) => (e >>> 0) + (t >>> 0) + (n >>> 0),
  wi = (e, t, n, o) => (t + n + o + ((e / 2 ** 32) | 0)) | 0,
  ki = (e, t, n, o) => (e >>> 0) + (t >>> 0) + (n >>> 0) + (o >>> 0),
  Ei = (e, t, n, o, r) => (t + n + o + r + ((e / 2 ** 32) | 0)) | 0,
  Ii = (e, t, n, o, r) => (e >>> 0) + (t >>> 0) + (n >>> 0) + (o >>> 0) + (r >>> 0),
  Ai = (e, t, n, o, r, i) => (t + n + o + r + i + ((e / 2 ** 32) | 0)) | 0
function Oi(e, t, n) {
  return (e & t) ^ (~e & n)
}
function Pi(e, t, n) {
  return (e & t) ^ (e & n) ^ (t & n)
}
var vt = class {
    blockLen
    outputLen
    canXOF = !1
    padOffset
    isLE
    buffer
    view
    finished = !1
    length = 0
    pos = 0
    destroyed = !1
    constructor(t, n, o, r) {
      ;(this.blockLen = t),
        (this.outputLen = n),
        (this.padOffset = o),
        (this.isLE = r),
        (this.buffer = new Uint8Array(t)),
        (this.view = jt(this.buffer))
    }
    update(t) {
      Tn(this), Ie(t)
      let { view: n, buffer: o, blockLen: r } = this,
        i = t.length,
        s = !1
      for (let a = 0; a < i; ) {
        const d = Math.min(r - this.pos, i - a)
        if (d === r) {
          const f = jt(t)
          for (; r <= i - a; a += r) this.process(f, a)
          s = !0
          continue
        }
        o.set(a === 0 && d === i ? t : t.subarray(a, a + d), this.pos),
          (this.pos += d),
          (a += d),
          this.pos === r && (this.process(n, 0), (this.pos = 0), (s = !0))
      }
      return ((this.length += t.length), s && this.roundClean(), this)
    }
    digestInto(t) {
      Tn(this), fi(t, this), (this.finished = !0)
      let { buffer: n, view: o, blockLen: r, isLE: i } = this,
        { pos: s } = this
      ;(n[s++] = 128),
        n.fill(0, s),
        this.padOffset > r - s && (this.process(o, 0), n.fill(0)),
        Si(o, r - 8, this.length * 8, i),
        this.process(o, 0),
        this.roundClean()
      const a = t === n ? o : jt(t),
        d = this.outputLen,
        f = d / 4,
        l = this.get()
      if (d % 4 || f > l.length) throw new Error('invalid outputLen')
      for (let p = 0; p < f; p++) a.setUint32(4 * p, l[p], i)
    }
    digest() {
      const { buffer: t, outputLen: n } = this
      this.digestInto(t)
      const o = t.slice(0, n)
      return (this.destroy(), o)
    }
    _cloneIntoMeta(t) {
      const { buffer: n, length: o, finished: r, destroyed: i, pos: s } = this
      return (
        (t.destroyed = i), (t.finished = r), (t.length = o), (t.pos = s), s && t.buffer.set(n), t
      )
    }
    clone() {
      return this._cloneInto()
    }
  },
  _i = Uint32Array.from([
    1779033703, 3144134277, 1013904242, 2773480762, 1359893119, 2600822924, 528734635, 1541459225,
  ])
var vi = Uint32Array.from([
  1779033703, 4089235720, 3144134277, 2227873595, 1013904242, 4271175723, 2773480762, 1595750129,
  1359893119, 2917565137, 2600822924, 725511199, 528734635, 4215389547, 1541459225, 327033209,
])
var md = Uint32Array.from([
    1116352408, 1899447441, 3049323471, 3921009573, 961987163, 1508970993, 2453635748, 2870763221,
    3624381080, 310598401, 607225278, 1426881987, 1925078388, 2162078206, 2614888103, 3248222580,
    3835390401, 4022224774, 264347078, 604807628, 770255983, 1249150122, 1555081692, 1996064986,
    2554220882, 2821834349, 2952996808, 3210313671, 3336571891, 3584528711, 113926993, 338241895,
    666307205, 773529912, 1294757372, 1396182291, 1695183700, 1986661051, 2177026350, 2456956037,
    2730485921, 2820302411, 3259730800, 3345764771, 3516065817, 3600352804, 4094571909, 275423344,
    430227734, 506948616, 659060556, 883997877, 958139571, 1322822218, 1537002063, 1747873779,
    1955562222, 2024104815, 2227730452, 2361852424, 2428436474, 2756734187, 3204031479, 3329325298,
  ]),
  Le = new Uint32Array(64),
  Vn = class extends vt {
    A = 0
    B = 0
    C = 0
    D = 0
    E = 0
    F = 0
    G = 0
    H = 0
    constructor(t, n) {
      super(64, t, 8, !1),
        (this.A = n[0] | 0),
        (this.B = n[1] | 0),
        (this.C = n[2] | 0),
        (this.D = n[3] | 0),
        (this.E = n[4] | 0),
        (this.F = n[5] | 0),
        (this.G = n[6] | 0),
        (this.H = n[7] | 0)
    }
    get() {
      const { A: t, B: n, C: o, D: r, E: i, F: s, G: a, H: d } = this
      return [t, n, o, r, i, s, a, d]
    }
    set(t, n, o, r, i, s, a, d) {
      ;(this.A = t | 0),
        (this.B = n | 0),
        (this.C = o | 0),
        (this.D = r | 0),
        (this.E = i | 0),
        (this.F = s | 0),
        (this.G = a | 0),
        (this.H = d | 0)
    }
    _cloneInto(t) {
      return ((t ||= new this.constructor()).set(...this.get()), this._cloneIntoMeta(t))
    }
    process(t, n) {
      for (let p = 0; p < 16; p++, n += 4) Le[p] = t.getUint32(n, !1)
      for (let p = 16; p < 64; p++) {
        const y = Le[p - 15],
          x = Le[p - 2],
          B = ge(y, 7) ^ ge(y, 18) ^ (y >>> 3),
          g = ge(x, 17) ^ ge(x, 19) ^ (x >>> 10)
        Le[p] = (g + Le[p - 7] + B + Le[p - 16]) | 0
      }
      let { A: o, B: r, C: i, D: s, E: a, F: d, G: f, H: l } = this
      for (let p = 0; p < 64; p++) {
        const y = ge(a, 6) ^ ge(a, 11) ^ ge(a, 25),
          x = (l + y + Oi(a, d, f) + md[p] + Le[p]) | 0,
          g = ((ge(o, 2) ^ ge(o, 13) ^ ge(o, 22)) + Pi(o, r, i)) | 0
        ;(l = f), (f = d), (d = a), (a = (s + x) | 0), (s = i), (i = r), (r = o), (o = (x + g) | 0)
      }
      ;(o = (o + this.A) | 0),
        (r = (r + this.B) | 0),
        (i = (i + this.C) | 0),
        (s = (s + this.D) | 0),
        (a = (a + this.E) | 0),
        (d = (d + this.F) | 0),
        (f = (f + this.G) | 0),
        (l = (l + this.H) | 0),
        this.set(o, r, i, s, a, d, f, l)
    }
    roundClean() {
      It(Le)
    }
    destroy() {
      ;(this.destroyed = !0), this.set(0, 0, 0, 0, 0, 0, 0, 0), It(this.buffer)
    }
  },
  Gn = class extends Vn {
    constructor() {
      super(32, _i)
    }
  }
var Ni = bi(
    [
      '0x428a2f98d728ae22',
      '0x7137449123ef65cd',
      '0xb5c0fbcfec4d3b2f',
      '0xe9b5dba58189dbbc',
      '0x3956c25bf348b538',
      '0x59f111f1b605d019',
      '0x923f82a4af194f9b',
      '0xab1c5ed5da6d8118',
      '0xd807aa98a3030242',
      '0x12835b0145706fbe',
      '0x243185be4ee4b28c',
      '0x550c7dc3d5ffb4e2',
      '0x72be5d74f27b896f',
      '0x80deb1fe3b1696b1',
      '0x9bdc06a725c71235',
      '0xc19bf174cf692694',
      '0xe49b69c19ef14ad2',
      '0xefbe4786384f25e3',
      '0x0fc19dc68b8cd5b5',
      '0x240ca1cc77ac9c65',
      '0x2de92c6f592b0275',
      '0x4a7484aa6ea6e483',
      '0x5cb0a9dcbd41fbd4',
      '0x76f988da831153b5',
      '0x983e5152ee66dfab',
      '0xa831c66d2db43210',
      '0xb00327c898fb213f',
      '0xbf597fc7beef0ee4',
      '0xc6e00bf33da88fc2',
      '0xd5a79147930aa725',
      '0x06ca6351e003826f',
      '0x142929670a0e6e70',
      '0x27b70a8546d22ffc',
      '0x2e1b21385c26c926',
      '0x4d2c6dfc5ac42aed',
      '0x53380d139d95b3df',
      '0x650a73548baf63de',
      '0x766a0abb3c77b2a8',
      '0x81c2c92e47edaee6',
      '0x92722c851482353b',
      '0xa2bfe8a14cf10364',
      '0xa81a664bbc423001',
      '0xc24b8b70d0f89791',
      '0xc76c51a30654be30',
      '0xd192e819d6ef5218',
      '0xd69906245565a910',
      '0xf40e35855771202a',
      '0x106aa07032bbd1b8',
      '0x19a4c116b8d2d0c8',
      '0x1e376c085141ab53',
      '0x2748774cdf8eeb99',
      '0x34b0bcb5e19b48a8',
      '0x391c0cb3c5c95a63',
      '0x4ed8aa4ae3418acb',
      '0x5b9cca4f7763e373',
      '0x682e6ff3d6b2b8a3',
      '0x748f82ee5defb2fc',
      '0x78a5636f43172f60',
      '0x84c87814a1f0ab72',
      '0x8cc702081a6439ec',
      '0x90befffa23631e28',
      '0xa4506cebde82bde9',
      '0xbef9a3f7b2c67915',
      '0xc67178f2e372532b',
      '0xca273eceea26619c',
      '0xd186b8c721c0c207',
      '0xeada7dd6cde0eb1e',
      '0xf57d4f7fee6ed178',
      '0x06f067aa72176fba',
      '0x0a637dc5a2c898a6',
      '0x113f9804bef90dae',
      '0x1b710b35131c471b',
      '0x28db77f523047d84',
      '0x32caab7b40c72493',
      '0x3c9ebe0a15c9bebc',
      '0x431d67c49c100d4c',
      '0x4cc5d4becb3e42b6',
      '0x597f299cfc657e2a',
      '0x5fcb6fab3ad6faec',
      '0x6c44198c4a475817',
    ].map((e) => BigInt(e)),
  ),
  xd = Ni[0],
  gd = Ni[1],
  De = new Uint32Array(80),
  Je = new Uint32Array(80),
  qn = class extends vt {
    Ah = 0
    Al = 0
    Bh = 0
    Bl = 0
    Ch = 0
    Cl = 0
    Dh = 0
    Dl = 0
    Eh = 0
    El = 0
    Fh = 0
    Fl = 0
    Gh = 0
    Gl = 0
    Hh = 0
    Hl = 0
    constructor(t, n) {
      super(128, t, 16, !1),
        (this.Ah = n[0] | 0),
        (this.Al = n[1] | 0),
        (this.Bh = n[2] | 0),
        (this.Bl = n[3] | 0),
        (this.Ch = n[4] | 0),
        (this.Cl = n[5] | 0),
        (this.Dh = n[6] | 0),
        (this.Dl = n[7] | 0),
        (this.Eh = n[8] | 0),
        (this.El = n[9] | 0),
        (this.Fh = n[10] | 0),
        (this.Fl = n[11] | 0),
        (this.Gh = n[12] | 0),
        (this.Gl = n[13] | 0),
        (this.Hh = n[14] | 0),
        (this.Hl = n[15] | 0)
    }
    get() {
      const {
        Ah: t,
        Al: n,
        Bh: o,
        Bl: r,
        Ch: i,
        Cl: s,
        Dh: a,
        Dl: d,
        Eh: f,
        El: l,
        Fh: p,
        Fl: y,
        Gh: x,
        Gl: B,
        Hh: g,
        Hl: P,
      } = this
      return [t, n, o, r, i, s, a, d, f, l, p, y, x, B, g, P]
    }
    set(t, n, o, r, i, s, a, d, f, l, p, y, x, B, g, P) {
      ;(this.Ah = t | 0),
        (this.Al = n | 0),
        (this.Bh = o | 0),
        (this.Bl = r | 0),
        (this.Ch = i | 0),
        (this.Cl = s | 0),
        (this.Dh = a | 0),
        (this.Dl = d | 0),
        (this.Eh = f | 0),
        (this.El = l | 0),
        (this.Fh = p | 0),
        (this.Fl = y | 0),
        (this.Gh = x | 0),
        (this.Gl = B | 0),
        (this.Hh = g | 0),
        (this.Hl = P | 0)
    }
    _cloneInto(t) {
      return ((t ||= new this.constructor()).set(...this.get()), this._cloneIntoMeta(t))
    }
    process(t, n) {
      for (let m = 0; m < 16; m++, n += 4) (De[m] = t.getUint32(n)), (Je[m] = t.getUint32((n += 4)))
      for (let m = 16; m < 80; m++) {
        const k = De[m - 15] | 0,
          w = Je[m - 15] | 0,
          C = Ye(k, w, 1) ^ Ye(k, w, 8) ^ Mn(k, w, 7),
          K = Xe(k, w, 1) ^ Xe(k, w, 8) ^ $n(k, w, 7),
          U = De[m - 2] | 0,
          O = Je[m - 2] | 0,
          J = Ye(U, O, 19) ^ Pt(U, O, 61) ^ Mn(U, O, 6),
          Y = Xe(U, O, 19) ^ _t(U, O, 61) ^ $n(U, O, 6),
          M = ki(K, Y, Je[m - 7], Je[m - 16]),
          X = Ei(M, C, J, De[m - 7], De[m - 16])
        ;(De[m] = X | 0), (Je[m] = M | 0)
      }
      let {
        Ah: o,
        Al: r,
        Bh: i,
        Bl: s,
        Ch: a,
        Cl: d,
        Dh: f,
        Dl: l,
        Eh: p,
        El: y,
        Fh: x,
        Fl: B,
        Gh: g,
        Gl: P,
        Hh: H,
        Hl: N,
      } = this
      for (let m = 0; m < 80; m++) {
        const k = Ye(p, y, 14) ^ Ye(p, y, 18) ^ Pt(p, y, 41),
          w = Xe(p, y, 14) ^ Xe(p, y, 18) ^ _t(p, y, 41),
          C = (p & x) ^ (~p & g),
          K = (y & B) ^ (~y & P),
          U = Ii(N, w, K, gd[m], Je[m]),
          O = Ai(U, H, k, C, xd[m], De[m]),
          J = U | 0,
          Y = Ye(o, r, 28) ^ Pt(o, r, 34) ^ Pt(o, r, 39),
          M = Xe(o, r, 28) ^ _t(o, r, 34) ^ _t(o, r, 39),
          X = (o & i) ^ (o & a) ^ (i & a),
          S = (r & s) ^ (r & d) ^ (s & d)
        ;(H = g | 0),
          (N = P | 0),
          (g = x | 0),
          (P = B | 0),
          (x = p | 0),
          (B = y | 0),
          ({ h: p, l: y } = Ae(f | 0, l | 0, O | 0, J | 0)),
          (f = a | 0),
          (l = d | 0),
          (a = i | 0),
          (d = s | 0),
          (i = o | 0),
          (s = r | 0)
        const _ = Bi(J, M, S)
        ;(o = wi(_, O, Y, X)), (r = _ | 0)
      }
      ;({ h: o, l: r } = Ae(this.Ah | 0, this.Al | 0, o | 0, r | 0)),
        ({ h: i, l: s } = Ae(this.Bh | 0, this.Bl | 0, i | 0, s | 0)),
        ({ h: a, l: d } = Ae(this.Ch | 0, this.Cl | 0, a | 0, d | 0)),
        ({ h: f, l } = Ae(this.Dh | 0, this.Dl | 0, f | 0, l | 0)),
        ({ h: p, l: y } = Ae(this.Eh | 0, this.El | 0, p | 0, y | 0)),
        ({ h: x, l: B } = Ae(this.Fh | 0, this.Fl | 0, x | 0, B | 0)),
        ({ h: g, l: P } = Ae(this.Gh | 0, this.Gl | 0, g | 0, P | 0)),
        ({ h: H, l: N } = Ae(this.Hh | 0, this.Hl | 0, H | 0, N | 0)),
        this.set(o, r, i, s, a, d, f, l, p, y, x, B, g, P, H, N)
    }
    roundClean() {
      It(De, Je)
    }
    destroy() {
      ;(this.destroyed = !0),
        It(this.buffer),
        this.set(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    }
  },
  Kn = class extends qn {
    constructor() {
      super(64, vi)
    }
  }
var Oe = Rn(() => new Gn(), Un(1))
var Wn = Rn(() => new Kn(), Un(3))
var j = BigInt(0),
  F = BigInt(1),
  Qe = BigInt(2),
  Ui = BigInt(3),
  Zn = BigInt(4),
  Hi = BigInt(5),
  bd = BigInt(7),
  Ci = BigInt(8),
  Sd = BigInt(9),
  Bd = BigInt(15),
  Fi = BigInt(16),
  wd = BigInt('0x10000000000000000')
function Z(e, t) {
  if (t <= j) throw new Error('mod: expected positive modulus, got ' + t)
  const n = e % t
  return n >= j ? n : t + n
}
function kd(e, t, n) {
  if (n <= F) throw new Error('pow: expected modulus > 1, got ' + n)
  if (typeof t != 'bigint')
    throw new TypeError('invalid exponent: expected bigint, got ' + typeof t)
  if (t < j) throw new Error('invalid exponent, negatives unsupported')
  if (t === j) return F
  if (t === F) return e
  let o = e % n
  if ((o < j && (o += n), t < wd)) {
    let a = F
    for (; t > j; ) t & F && (a = (a * o) % n), (o = (o * o) % n), (t >>= F)
    return a
  }
  const r = []
  for (; t > j; ) r.push(Number(t & Bd)), (t >>= Zn)
  const i = new Array(16)
  ;(i[0] = F), (i[1] = o)
  for (let a = 2; a < 16; a++) i[a] = (i[a - 1] * o) % n
  let s = i[r[r.length - 1]]
  for (let a = r.length - 2; a >= 0; a--) {
    ;(s = (s * s) % n), (s = (s * s) % n), (s = (s * s) % n), (s = (s * s) % n)
    const d = r[a]
    d !== 0 && (s = (s * i[d]) % n)
  }
  return s
}
function be(e, t, n) {
  if (n <= F) throw new Error('pow2: expected modulus > 1, got ' + n)
  if (t < j) throw new Error('pow2: expected non-negative exponent, got ' + t)
  let o = e
  for (; t-- > j; ) (o *= o), (o %= n)
  return o
}
function Ti(e, t) {
  if (e === j) throw new Error('invert: expected non-zero number')
  if (t <= F) throw new Error('invert: expected modulus > 1, got ' + t)
  let n = Z(e, t),
    o = t,
    r = j,
    i = F
  for (; n !== j; ) {
    const a = o / n,
      d = o - n * a,
      f = r - i * a
    ;(o = n), (n = d), (r = i), (i = f)
  }
  if (o !== F) throw new Error('invert: does not exist')
  return Z(r, t)
}
function zn(e, t, n) {
  const o = e
  if (!o.eql(o.sqr(t), n)) throw new Error('Cannot find square root')
}
function Yn(e, t) {
  if ((e & F) === j) throw new Error(t + ': expected odd modulus, got ' + e)
}
function Li(e, t) {
  const n = e,
    o = (n.ORDER + F) / Zn,
    r = n.pow(t, o)
  return (zn(n, r, t), r)
}
function Ed(e, t) {
  const n = e,
    o = (n.ORDER - Hi) / Ci,
    r = n.mul(t, Qe),
    i = n.pow(r, o),
    s = n.mul(t, i),
    a = n.mul(n.mul(s, Qe), i),
    d = n.mul(s, n.sub(a, n.ONE))
  return (zn(n, d, t), d)
}
function Id(e) {
  const t = fn(e),
    n = Di(e),
    o = n(t, t.neg(t.ONE)),
    r = n(t, o),
    i = n(t, t.neg(o)),
    s = (e + bd) / Fi
  return (a, d) => {
    let f = a,
      l = f.pow(d, s),
      p = f.mul(l, o),
      y = f.mul(l, r),
      x = f.mul(l, i),
      B = f.eql(f.sqr(p), d),
      g = f.eql(f.sqr(y), d)
    ;(l = f.cmov(l, p, B)), (p = f.cmov(x, y, g))
    const P = f.eql(f.sqr(p), d),
      H = f.cmov(l, p, P)
    return (zn(f, H, d), H)
  }
}
function Di(e) {
  if (e < Ui) throw new Error('sqrt is not defined for small field')
  Yn(e, 'tonelliShanks')
  let t = e - F,
    n = 0
  for (; t % Qe === j; ) (t /= Qe), n++
  let o = Qe,
    r = fn(e)
  for (; Nt(r, o) === 1; )
    if (o++ > 1e3) throw new Error('Cannot find square root: probably non-prime P')
  if (n === 1) return Li
  const i = r.pow(o, t),
    s = (t + F) / Qe
  return (d, f) => {
    const l = d
    if (l.is0(f)) return f
    if (Nt(l, f) !== 1) throw new Error('Cannot find square root')
    let p = n,
      y = l.mul(l.ONE, i),
      x = l.pow(f, t),
      B = l.pow(f, s)
    for (; !l.eql(x, l.ONE); ) {
      if (l.is0(x)) throw new Error('Cannot find square root: probably non-prime P')
      let g = 1,
        P = l.sqr(x)
      for (; !l.eql(P, l.ONE); )
        if ((g++, (P = l.sqr(P)), g === p)) throw new Error('Cannot find square root')
      const H = F << BigInt(p - g - 1),
        N = l.pow(y, H)
      ;(p = g), (y = l.sqr(N)), (x = l.mul(x, y)), (B = l.mul(B, N))
    }
    return B
  }
}
function Ad(e) {
  return (Yn(e, 'Fp.sqrt'), e % Zn === Ui ? Li : e % Ci === Hi ? Ed : e % Fi === Sd ? Id(e) : Di(e))
}
var Ji = (e, t) => (Z(e, t) & F) === F,
  Od = [
    'create',
    'isValid',
    'is0',
    'neg',
    'inv',
    'sqrt',
    'sqr',
    'eql',
    'add',
    'sub',
    'mul',
    'pow',
    'div',
    'addN',
    'subN',
    'mulN',
    'sqrN',
  ]
function ft(e) {
  if ((He(e, 'field'), typeof e.ORDER != 'bigint'))
    throw new TypeError('param "ORDER" is invalid: expected bigint, got ' + typeof e.ORDER)
  at(e.BYTES, 'BYTES'), at(e.BITS, 'BITS')
  for (const t of Od) Ze(e[t], 'field.' + t)
  if (e.BYTES < 1 || e.BITS < 1) throw new Error('invalid field: expected BYTES/BITS > 0')
  if (e.ORDER <= F) throw new Error('invalid field: expected ORDER > 1, got ' + e.ORDER)
  return e
}
function dn(e, t, n = !1) {
  ft(e), rn(t, 'nums'), ve(n, 'passZero')
  const o = e,
    r = new Array(t.length).fill(n ? o.ZERO : void 0),
    i = t.reduce((a, d, f) => (o.is0(d) ? a : ((r[f] = a), o.mul(a, d))), o.ONE),
    s = o.inv(i)
  return (t.reduceRight((a, d, f) => (o.is0(d) ? a : ((r[f] = o.mul(a, r[f])), o.mul(a, d))), s), r)
}
function Nt(e, t) {
  ft(e)
  const n = e
  Yn(n.ORDER, 'FpLegendre')
  const o = (n.ORDER - F) / Qe,
    r = n.pow(t, o),
    i = n.eql(r, n.ONE),
    s = n.eql(r, n.ZERO),
    a = n.eql(r, n.neg(n.ONE))
  if (!i && !s && !a) throw new Error('invalid Legendre symbol result')
  return i ? 1 : s ? 0 : -1
}
function Pd(e, t) {
  if ((t !== void 0 && Hn(t), e <= j))
    throw new Error('invalid n length: expected positive n, got ' + e)
  if (t !== void 0 && t < 1)
    throw new Error('invalid n length: expected positive bit length, got ' + t)
  const n = Jn(e)
  if (t !== void 0 && t < n)
    throw new Error(`invalid n length: expected nBitLength (${t}) >= bitLen(n) (${n})`)
  const o = t !== void 0 ? t : n,
    r = Math.ceil(o / 8)
  return { nBitLength: o, nByteLength: r }
}
var Ri = new WeakMap(),
  an = class {
    ORDER
    BITS
    BYTES
    isLE
    ZERO = j
    ONE = F
    _lengths
    _mod
    constructor(t, n = {}) {
      if (t <= F) throw new Error('invalid field: expected ORDER > 1, got ' + t)
      let o
      ;(this.isLE = !1),
        n != null &&
          typeof n == 'object' &&
          (typeof n.BITS == 'number' && (o = n.BITS),
          typeof n.sqrt == 'function' &&
            Object.defineProperty(this, 'sqrt', { value: n.sqrt, enumerable: !0 }),
          typeof n.isLE == 'boolean' && (this.isLE = n.isLE),
          n.allowedLengths && (this._lengths = Object.freeze(n.allowedLengths.slice())),
          typeof n.modFromBytes == 'boolean' && (this._mod = n.modFromBytes))
      const { nBitLength: r, nByteLength: i } = Pd(t, o)
      if (i > 2048) throw new Error('invalid field: expected ORDER of <= 2048 bytes')
      ;(this.ORDER = t), (this.BITS = r), (this.BYTES = i), Object.freeze(this)
    }
    create(t) {
      return Z(t, this.ORDER)
    }
    isValid(t) {
      if (typeof t != 'bigint')
        throw new TypeError('invalid field element: expected bigint, got ' + typeof t)
      return j <= t && t < this.ORDER
    }
    is0(t) {
      return t === j
    }
    isValidNot0(t) {
      return !this.is0(t) && this.isValid(t)
    }
    isOdd(t) {
      return (t & F) === F
    }
    neg(t) {
      return Z(-t, this.ORDER)
    }
    eql(t, n) {
      return t === n
    }
    sqr(t) {
      return Z(t * t, this.ORDER)
    }
    add(t, n) {
      return Z(t + n, this.ORDER)
    }
    sub(t, n) {
      return Z(t - n, this.ORDER)
    }
    mul(t, n) {
      return Z(t * n, this.ORDER)
    }
    pow(t, n) {
      return kd(t, n, this.ORDER)
    }
    div(t, n) {
      return Z(t * Ti(n, this.ORDER), this.ORDER)
    }
    sqrN(t) {
      return t * t
    }
    addN(t, n) {
      return t + n
    }
    subN(t, n) {
      return t - n
    }
    mulN(t, n) {
      return t * n
    }
    inv(t) {
      return Ti(t, this.ORDER)
    }
    sqrt(t) {
      let n = Ri.get(this)
      return (n || Ri.set(this, (n = Ad(this.ORDER))), n(this, t))
    }
    toBytes(t) {
      return this.isLE ? mi(t, this.BYTES) : Fn(t, this.BYTES)
    }
    fromBytes(t, n = !1) {
      ne(t)
      const { _lengths: o, BYTES: r, isLE: i, ORDER: s, _mod: a } = this
      if (o) {
        if (t.length < 1 || !o.includes(t.length) || t.length > r)
          throw new Error('Field.fromBytes: expected ' + o + ' bytes, got ' + t.length)
        const f = new Uint8Array(r)
        f.set(t, i ? 0 : f.length - t.length), (t = f)
      }
      if (t.length !== r)
        throw new Error('Field.fromBytes: expected ' + r + ' bytes, got ' + t.length)
      let d = i ? dt(t) : on(t)
      if ((a && (d = Z(d, s)), !n && !this.isValid(d)))
        throw new Error('invalid field element: outside of range 0..ORDER')
      return d
    }
    invertBatch(t) {
      return dn(this, t, !0)
    }
    cmov(t, n, o) {
      return (ve(o, 'condition'), o ? n : t)
    }
  }
function fn(e, t = {}) {
  return (Object.freeze(an.prototype), new an(e, t))
}
var jn = BigInt(0),
  Tt = BigInt(1),
  _d = BigInt(4),
  Xn = 16,
  Mi = 128,
  vd = 5,
  $i = 2 ** 31
function Rt(e) {
  const t = e
  if (typeof t != 'function')
    throw new TypeError('"Point" expected constructor, got type=' + typeof e)
  Ze(t.fromAffine, 'Point.fromAffine'),
    Ze(t.fromBytes, 'Point.fromBytes'),
    Ze(t.fromHex, 'Point.fromHex'),
    He(t.BASE, 'Point.BASE'),
    He(t.ZERO, 'Point.ZERO'),
    ft(t.Fp),
    ft(t.Fn)
}
function Gi(e, t) {
  Rt(e), qi(t, e)
  const n = dn(
    e.Fp,
    t.map((o) => o.Z),
  )
  return t.map((o, r) => e.fromAffine(o.toAffine(n[r])))
}
function Nd(e, t, n = 1) {
  if (!Number.isSafeInteger(e) || e < n || e > t)
    throw new Error('invalid window size, expected [' + n + '..' + t + '], got W=' + e)
}
function Td(e, t) {
  const n = e * (4 * t + 128)
  if (n > $i)
    throw new Error(
      'invalid window size: table would need ~' +
        Math.ceil(n / 2 ** 20) +
        ' MiB, max ' +
        $i / 2 ** 20 +
        ' MiB',
    )
}
function Rd(e, t) {
  if (e !== void 0) {
    Ze(e, 'randomBytes')
    try {
      const n = e(t)
      if (!At(n) || n.length !== t) return
    } catch {
      return
    }
    return e
  }
}
function qi(e, t) {
  rn(e, 'points'),
    e.forEach((n, o) => {
      if (!(n instanceof t)) throw new Error('invalid point at index ' + o)
    })
}
function Ud(e, t, n) {
  if (!Array.isArray(e)) throw new Error('array of scalars expected')
  e.forEach((o, r) => {
    if (!(n === void 0 ? t.isValid(o) : Ce(o) && o < n))
      throw new Error('invalid scalar at index ' + r)
  })
}
var Ki = new WeakMap()
function Qn(e) {
  return Ki.get(e) || 1
}
function Hd(e, t) {
  const n = e.double(),
    o = [e]
  for (let r = 1; r < t; r++) o.push(o[r - 1].add(n))
  return o
}
function Cd(e, t) {
  const n = 2 ** t,
    o = n / 2,
    r = BigInt(n - 1),
    i = []
  for (; e > jn; ) {
    let s = 0
    e & Tt && ((s = Number(e & r)), s >= o && (s -= n), (e -= BigInt(s))), i.push(s), (e >>= Tt)
  }
  return i
}
function Fd(e, t, n) {
  const o = 2 ** t,
    r = o / 2,
    i = BigInt(o - 1),
    s = BigInt(t),
    a = []
  for (let d = 0; d < n; d++) {
    let f = Number(e & i)
    ;(e >>= s), f > r && ((f -= o), (e += Tt)), a.push(f)
  }
  if (e !== jn) throw new Error('invalid wnaf')
  return a
}
function Ld(e, t, n) {
  let o = 0
  for (const i of n) o = Math.max(o, i.length)
  let r = e
  for (let i = o - 1; i >= 0; i--) {
    i !== o - 1 && (r = r.double())
    for (let s = 0; s < n.length; s++) {
      const a = n[s][i]
      if (a) {
        const d = t[s][(Math.abs(a) - 1) >> 1]
        r = r.add(a < 0 ? d.negate() : d)
      }
    }
  }
  return r
}
var cn = class {
  Point
  BASE
  ZERO
  randomBytes
  wnafPrecomputes = new WeakMap()
  baseCanBeBlinded
  bits
  constructor(t, n) {
    Rt(t),
      (this.randomBytes = Rd(n, Xn)),
      (this.Point = t),
      (this.BASE = t.BASE),
      (this.ZERO = t.ZERO),
      (this.bits = t.Fn.BITS)
  }
  buildWnafTable(t, n, o) {
    let r = Math.ceil(o / n) + 1,
      i = 2 ** (n - 1),
      s = [],
      a = t
    for (let d = 0; d < r; d++) {
      let f = a
      for (let l = 0; l < i; l++) s.push(f), (f = f.add(a))
      a = s[s.length - 1].double()
    }
    return { W: n, bits: o, windows: r, comp: s }
  }
  wnafCachedCT(t, n) {
    let { W: o, windows: r, comp: i } = t,
      s = 2 ** (o - 1),
      a = Fd(n, o, r),
      d = this.ZERO,
      f = this.BASE
    for (let l = 0; l < r; l++) {
      let p = a[l],
        y = l * s,
        x = Math.abs(p) - 1,
        B = i[y]
      for (let P = 1; P < s; P++) B = P === x ? i[y + P] : B
      const g = B.negate()
      p === 0 ? (f = f.add(i[y])) : (d = d.add(p < 0 ? g : B))
    }
    return { p: d, f }
  }
  getWnafPrecomputes(t, n, o, r) {
    let i = this.wnafPrecomputes.get(n),
      s = i?.find((a) => a.W === t && a.bits === o)
    return (
      s ||
        ((s = this.buildWnafTable(n, t, o)),
        typeof r == 'function' && (s = { ...s, comp: r(s.comp) }),
        i || ((i = []), this.wnafPrecomputes.set(n, i)),
        i.push(s)),
      s
    )
  }
  assertPoint(t) {
    if (!(t instanceof this.Point))
      throw new TypeError('"point" expected Point instance, got type=' + typeof t)
  }
  validateMulInput(t, n) {
    if ((this.assertPoint(t), !Ln(n, Tt, this.Point.Fn.ORDER))) throw new Error('invalid scalar')
  }
  runCT(t, n, o, r) {
    const i = Qn(t)
    return i === 1
      ? this.fixedWindowCT(t, n, o)
      : this.wnafCachedCT(this.getWnafPrecomputes(i, t, o, r), n)
  }
  mulCT(t, n, o) {
    return (this.validateMulInput(t, n), this.runCT(t, n, this.bits, o))
  }
  mulCTBlinded(t, n, o) {
    if ((this.validateMulInput(t, n), this.randomBytes === void 0))
      throw new Error('randomBytes is required for scalar blinding')
    const r = this.Point.Fn.BITS + Mi,
      i = this.randomBytes(Xn)
    if (!At(i) || i.length !== Xn) throw new Error('randomBytes returned invalid byte array')
    i[0] = (i[0] & 63) | 128
    const s = n + on(i) * this.Point.Fn.ORDER
    return this.runCT(t, s, r, o)
  }
  fixedWindowCT(t, n, o) {
    const r = vd,
      i = 1 << r,
      s = xi(r),
      a = new Array(i)
    a[0] = this.ZERO
    for (let l = 1; l < i; l++) a[l] = a[l - 1].add(t)
    let d = Math.ceil(o / r),
      f = this.ZERO
    for (let l = d - 1; l >= 0; l--) {
      if (l !== d - 1) for (let x = 0; x < r; x++) f = f.double()
      let p = Number((n >> BigInt(l * r)) & s),
        y = a[0]
      for (let x = 1; x < i; x++) y = x === p ? a[x] : y
      f = f.add(y)
    }
    return { p: f, f }
  }
  shouldBlind(t, n) {
    return this.randomBytes === void 0
      ? !1
      : n === Tt
        ? !0
        : t !== this.BASE
          ? !1
          : (this.baseCanBeBlinded === void 0 &&
              (this.baseCanBeBlinded = this.mulUnsafe(this.BASE, this.Point.Fn.ORDER).is0()),
            this.baseCanBeBlinded)
  }
  mulSecret(t, n, o, r) {
    return this.shouldBlind(t, o) ? this.mulCTBlinded(t, n, r) : this.mulCT(t, n, r)
  }
  mulUnsafe(t, n, o) {
    if ((this.assertPoint(t), !Ce(n))) throw new Error('invalid scalar')
    const r = Qn(t)
    if (r === 1 || n >= this.Point.Fn.ORDER) return Dd(this.Point, [t], [n], !0)
    const i = this.getWnafPrecomputes(r, t, this.bits, o)
    return this.wnafCachedCT(i, n).p
  }
  setWindowSize(t, n) {
    this.assertPoint(t), Nd(n, this.bits)
    const o = Math.ceil((this.bits + Mi) / n) + 1
    Td(o * 2 ** (n - 1), this.Point.Fp.BYTES), Ki.set(t, n), this.wnafPrecomputes.delete(t)
  }
  hasWindowSize(t) {
    return Qn(t) !== 1
  }
}
function Dd(e, t, n, o = !1) {
  if (
    (Rt(e),
    qi(t, e),
    ve(o, 'allowOversized'),
    Ud(n, e.Fn, o ? e.Fn.ORDER ** _d : void 0),
    t.length !== n.length)
  )
    throw new Error('arrays of points and scalars must have equal length')
  const r = t.map((s) => Hd(s, 4)),
    i = n.map((s) => Cd(s, 4))
  return Ld(e.ZERO, r, i)
}
function Vi(e, t, n) {
  if (t) {
    if (t.ORDER !== e) throw new Error('Field.ORDER must match order: Fp == p, Fn == n')
    return (ft(t), t)
  } else return fn(e, { isLE: n })
}
function Wi(e, t, n = {}, o) {
  if (e !== 'weierstrass' && e !== 'edwards')
    throw new Error('expected curve type "weierstrass" or "edwards"')
  if ((o === void 0 && (o = e === 'edwards'), !t || typeof t != 'object'))
    throw new Error(`expected valid ${e} CURVE object`)
  Fe(n)
  for (const d of ['p', 'n', 'h']) {
    const f = t[d]
    if (!(Ce(f) && f !== jn)) throw new Error(`CURVE.${d} must be positive bigint`)
  }
  const r = Vi(t.p, n.Fp, o),
    i = Vi(t.n, n.Fn, o),
    a = ['Gx', 'Gy', 'a', e === 'weierstrass' ? 'b' : 'd']
  for (const d of a)
    if (!r.isValid(t[d])) throw new Error(`CURVE.${d} must be valid field element of CURVE.Fp`)
  return ((t = Object.freeze(Object.assign({}, t))), { CURVE: t, Fp: r, Fn: i })
}
function Zi(e, t) {
  return (o) => {
    const r = e(o)
    return { secretKey: r, publicKey: t(r) }
  }
}
var un = BigInt(0),
  ln = BigInt(1),
  hn = BigInt(2),
  Jd = BigInt(4),
  zi = BigInt(8)
function Md(e, t, n, o) {
  const r = e.sqr(n),
    i = e.sqr(o),
    s = e.add(e.mul(t.a, r), i),
    a = e.add(e.ONE, e.mul(t.d, e.mul(r, i)))
  return e.eql(s, a)
}
function Yi(e, t = {}) {
  Fe(t, {}, {}, 'extraOpts')
  const n = t,
    o = Wi('edwards', e, n, n.FpFnLE),
    { Fp: r, Fn: i } = o,
    s = o.CURVE,
    { h: a } = s
  if (Nt(r, s.a) !== 1)
    throw new Error('edwards: CURVE.a must be a square in Fp for complete addition formulas')
  if (Nt(r, s.d) !== -1)
    throw new Error('edwards: CURVE.d must be a non-square in Fp for complete addition formulas')
  Fe(n, {}, { uvRatio: 'function', randomBytes: 'function' })
  const d = n.randomBytes === void 0 ? Cn : n.randomBytes,
    f = hn << (BigInt(r.BYTES * 8) - ln)
  function l(N) {
    if (!r.isOdd) throw new Error('Field does not have .isOdd()')
    return r.isOdd(N)
  }
  const p =
    n.uvRatio === void 0
      ? (N, m) => {
          try {
            return { isValid: !0, value: r.sqrt(r.div(N, m)) }
          } catch {
            return { isValid: !1, value: un }
          }
        }
      : n.uvRatio
  if (!Md(r, s, s.Gx, s.Gy)) throw new Error('bad curve params: generator point')
  const y = r.eql(s.a, r.neg(r.ONE))
    ? (N) => r.neg(N)
    : r.eql(s.a, r.ONE)
      ? (N) => N
      : (N) => r.mul(s.a, N)
  function x(N, m, k = !1) {
    const w = k ? ln : un
    return (Dn('coordinate ' + N, m, w, f), m)
  }
  function B(N) {
    if (!(N instanceof g)) throw new Error('EdwardsPoint expected')
  }
  class g {
    static BASE = new g(s.Gx, s.Gy, r.ONE, r.mul(s.Gx, s.Gy))
    static ZERO = new g(r.ZERO, r.ONE, r.ONE, r.ZERO)
    static Fp = r
    static Fn = i
    X
    Y
    Z
    T
    constructor(m, k, w, C) {
      ;(this.X = x('x', m)),
        (this.Y = x('y', k)),
        (this.Z = x('z', w, !0)),
        (this.T = x('t', C)),
        Object.freeze(this)
    }
    static CURVE() {
      return s
    }
    static fromAffine(m) {
      if (m instanceof g) throw new Error('extended point not allowed')
      const { x: k, y: w } = m || {}
      return (x('x', k), x('y', w), new g(k, w, r.ONE, r.mul(k, w)))
    }
    static fromBytes(m, k = !1) {
      const w = r.BYTES,
        { a: C, d: K } = s
      ;(m = Ot(ne(m, w, 'point'))), ve(k, 'zip215')
      const U = Ot(m),
        O = m[w - 1]
      U[w - 1] = O & -129
      const J = dt(U),
        Y = k ? f : r.ORDER
      Dn('point.y', J, un, Y)
      let M = r.sqr(J),
        X = r.sub(M, r.ONE),
        S = r.sub(r.mulN(K, M), C),
        { isValid: _, value: v } = p(X, S)
      if (!_) throw new Error('bad point: invalid y coordinate')
      const G = l(v),
        Q = (O & 128) !== 0
      if (!k && r.is0(v) && Q) throw new Error('bad point: x=0 and x_0=1')
      return (Q !== G && (v = r.neg(v)), g.fromAffine({ x: v, y: J }))
    }
    static fromHex(m, k = !1) {
      return g.fromBytes(pi(m), k)
    }
    get x() {
      return this.toAffine().x
    }
    get y() {
      return this.toAffine().y
    }
    precompute(m = 6, k = !0) {
      return (H.setWindowSize(this, m), k || this.multiply(hn), this)
    }
    assertValidity() {
      const { a: k, d: w } = s
      if (this.is0()) throw new Error('bad point: ZERO')
      const { X: C, Y: K, Z: U, T: O } = this,
        J = r.sqr(C),
        Y = r.sqr(K),
        M = r.sqr(U),
        X = r.sqr(M),
        S = r.mul(J, k),
        _ = r.mul(r.add(S, Y), M),
        v = r.add(X, r.mul(w, r.mul(J, Y)))
      if (!r.eql(_, v)) throw new Error('bad point: equation left != right (1)')
      const G = r.mul(C, K),
        Q = r.mul(U, O)
      if (!r.eql(G, Q)) throw new Error('bad point: equation left != right (2)')
    }
    equals(m) {
      B(m)
      const { X: k, Y: w, Z: C } = this,
        { X: K, Y: U, Z: O } = m,
        J = r.mul(k, O),
        Y = r.mul(K, C),
        M = r.mul(w, O),
        X = r.mul(U, C)
      return r.eql(J, Y) && r.eql(M, X)
    }
    is0() {
      return this.equals(g.ZERO)
    }
    negate() {
      return new g(r.neg(this.X), this.Y, this.Z, r.neg(this.T))
    }
    double() {
      const { X: m, Y: k, Z: w } = this,
        C = r.sqr(m),
        K = r.sqr(k),
        U = r.mul(r.sqr(w), hn),
        O = y(C),
        J = r.addN(m, k),
        Y = r.sub(r.subN(r.sqr(J), C), K),
        M = r.addN(O, K),
        X = r.subN(M, U),
        S = r.subN(O, K),
        _ = r.mul(Y, X),
        v = r.mul(M, S),
        G = r.mul(Y, S),
        Q = r.mul(X, M)
      return new g(_, v, Q, G)
    }
    add(m) {
      B(m)
      const { d: k } = s,
        { X: w, Y: C, Z: K, T: U } = this,
        { X: O, Y: J, Z: Y, T: M } = m,
        X = r.mul(w, O),
        S = r.mul(C, J),
        _ = r.mul(r.mulN(U, k), M),
        v = r.mul(K, Y),
        G = r.sub(r.subN(r.mulN(r.addN(w, C), r.addN(O, J)), X), S),
        Q = r.subN(v, _),
        de = r.addN(v, _),
        _e = r.sub(S, y(X)),
        Ge = r.mul(G, Q),
        et = r.mul(de, _e),
        tt = r.mul(G, _e),
        qe = r.mul(Q, de)
      return new g(Ge, et, qe, tt)
    }
    subtract(m) {
      return (B(m), this.add(m.negate()))
    }
    multiply(m) {
      if (!i.isValidNot0(m)) throw new RangeError('invalid scalar: expected 1 <= sc < curve.n')
      const { p: k, f: w } = H.mulSecret(this, m, a, P)
      return P([k, w])[0]
    }
    multiplyUnsafe(m) {
      if (!i.isValid(m)) throw new RangeError('invalid scalar: expected 0 <= sc < curve.n')
      return m === un ? g.ZERO : this.is0() || m === ln ? this : H.mulUnsafe(this, m, P)
    }
    isSmallOrder() {
      return this.clearCofactor().is0()
    }
    isTorsionFree() {
      return H.mulUnsafe(this, s.n).is0()
    }
    toAffine(m) {
      let w = m
      if (w != null && typeof w != 'bigint')
        throw new TypeError('"invertedZ" expected bigint, got type=' + typeof w)
      const { X: C, Y: K, Z: U } = this,
        O = this.is0()
      w == null && (w = O ? r.create(zi) : r.inv(U))
      const J = r.mul(C, w),
        Y = r.mul(K, w),
        M = r.mul(U, w)
      if (O) return { x: r.ZERO, y: r.ONE }
      if (!r.eql(M, r.ONE)) throw new Error('invZ was invalid')
      return { x: J, y: Y }
    }
    clearCofactor() {
      return a === ln
        ? this
        : a === hn
          ? this.double()
          : a === Jd
            ? this.double().double()
            : a === zi
              ? this.double().double().double()
              : this.multiplyUnsafe(a)
    }
    toBytes() {
      const { x: m, y: k } = this.toAffine(),
        w = r.toBytes(k)
      return ((w[w.length - 1] |= l(m) ? 128 : 0), w)
    }
    toHex() {
      return hi(this.toBytes())
    }
    toString() {
      return `<Point ${this.is0() ? 'ZERO' : this.toHex()}>`
    }
  }
  const P = (N) => Gi(g, N),
    H = new cn(g, d)
  return (H.bits >= 6 && g.BASE.precompute(6), Object.freeze(g.prototype), Object.freeze(g), g)
}
function Xi(e, t, n = {}) {
  if ((Rt(e), typeof t != 'function')) throw new Error('"hash" function param is required')
  const o = t,
    r = n
  Fe(
    r,
    {},
    {
      adjustScalarBytes: 'function',
      randomBytes: 'function',
      domain: 'function',
      prehash: 'function',
      zip215: 'boolean',
      mapToCurve: 'function',
      toMontgomery: 'function',
      toMontgomerySecret: 'function',
    },
  )
  const { prehash: i } = r,
    { BASE: s, Fp: a, Fn: d } = e,
    f = o.outputLen,
    l = 2 * a.BYTES
  if (f !== void 0 && (at(f, 'hash.outputLen'), f !== l))
    throw new Error(`hash.outputLen must be ${l}, got ${f}`)
  const p = r.randomBytes === void 0 ? Cn : r.randomBytes,
    y = r.toMontgomery,
    x = r.toMontgomerySecret,
    B = r.adjustScalarBytes === void 0 ? (S) => S : r.adjustScalarBytes,
    g =
      r.domain === void 0
        ? (S, _, v) => {
            if ((ve(v, 'phflag'), _.length || v))
              throw new Error('Contexts/pre-hash are not supported')
            return S
          }
        : r.domain
  function P(S) {
    return d.create(dt(S))
  }
  function H(S) {
    const _ = O.secretKey
    ne(S, O.secretKey, 'secretKey')
    const v = ne(o(S), 2 * _, 'hashedSecretKey'),
      G = B(v.slice(0, _)),
      Q = v.slice(_, 2 * _),
      de = P(G)
    return { head: G, prefix: Q, scalar: de }
  }
  function N(S) {
    const { head: _, prefix: v, scalar: G } = H(S),
      Q = s.multiply(G),
      de = Q.toBytes()
    return { head: _, prefix: v, scalar: G, point: Q, pointBytes: de }
  }
  function m(S) {
    return N(S).pointBytes
  }
  function k(S = Uint8Array.of(), ..._) {
    const v = ze(..._)
    return P(o(g(v, ne(S, void 0, 'context'), !!i)))
  }
  function w(S, _, v = {}) {
    Fe(v, {}, {}, 'options'), (S = Ot(ne(S, void 0, 'message'))), i && (S = i(S))
    const { prefix: G, scalar: Q, pointBytes: de } = N(_),
      _e = k(v.context, G, S),
      Ge = s.multiply(_e).toBytes(),
      et = k(v.context, Ge, de, S),
      tt = d.create(_e + et * Q)
    if (!d.isValid(tt)) throw new Error('sign failed: invalid s')
    const qe = ze(Ge, d.toBytes(tt))
    return ne(qe, O.signature, 'result')
  }
  const C = { zip215: r.zip215 }
  function K(S, _, v, G = C) {
    Fe(G)
    const { context: Q } = G,
      de = G.zip215 === void 0 ? !!C.zip215 : G.zip215,
      _e = O.signature
    ;(S = ne(S, _e, 'signature')),
      (_ = ne(_, void 0, 'message')),
      (v = ne(v, O.publicKey, 'publicKey')),
      de !== void 0 && ve(de, 'zip215'),
      i && (_ = i(_))
    let Ge = _e / 2,
      et = S.subarray(0, Ge),
      tt = dt(S.subarray(Ge, _e)),
      qe,
      mo,
      xo
    try {
      ;(qe = e.fromBytes(v, de)), (mo = e.fromBytes(et, de)), (xo = s.multiplyUnsafe(tt))
    } catch {
      return !1
    }
    if (!de && qe.isSmallOrder()) return !1
    const ra = k(Q, et, v, _)
    return mo.add(qe.multiplyUnsafe(ra)).subtract(xo).clearCofactor().is0()
  }
  const U = a.BYTES,
    O = { secretKey: U, publicKey: U, signature: 2 * U, seed: U }
  function J(S) {
    return ((S = S === void 0 ? p(O.seed) : S), ne(S, O.seed, 'seed'))
  }
  function Y(S) {
    return At(S) && S.length === O.secretKey
  }
  function M(S, _) {
    try {
      return !!e.fromBytes(S, _ === void 0 ? C.zip215 : _)
    } catch {
      return !1
    }
  }
  const X = {
    getExtendedPublicKey: N,
    randomSecretKey: J,
    isValidSecretKey: Y,
    isValidPublicKey: M,
    toMontgomery(S) {
      if (y === void 0) throw new Error('Montgomery conversion is not supported for this curve')
      return y(e.fromBytes(S))
    },
    toMontgomerySecret(S) {
      if (x === void 0) throw new Error('Montgomery conversion is not supported for this curve')
      return x(S)
    },
  }
  return (
    Object.freeze(O),
    Object.freeze(X),
    Object.freeze({
      keygen: Zi(J, m),
      getPublicKey: m,
      sign: w,
      verify: K,
      utils: X,
      Point: e,
      lengths: O,
    })
  )
}
var er = BigInt(1),
  Qi = BigInt(2)
var $d = BigInt(5),
  Vd = BigInt(8),
  tr = BigInt('0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed'),
  Gd = {
    p: tr,
    n: BigInt('0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed'),
    h: Vd,
    a: BigInt('0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec'),
    d: BigInt('0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3'),
    Gx: BigInt('0x216936d3cd6e53fec0a4e231fdd6dc5c692cc7609525a7b2c9562d608f25d51a'),
    Gy: BigInt('0x6666666666666666666666666666666666666666666666666666666666666658'),
  }
function qd(e) {
  const t = BigInt(10),
    n = BigInt(20),
    o = BigInt(40),
    r = BigInt(80),
    i = tr,
    a = (((e * e) % i) * e) % i,
    d = (be(a, Qi, i) * a) % i,
    f = (be(d, er, i) * e) % i,
    l = (be(f, $d, i) * f) % i,
    p = (be(l, t, i) * l) % i,
    y = (be(p, n, i) * p) % i,
    x = (be(y, o, i) * y) % i,
    B = (be(x, r, i) * x) % i,
    g = (be(B, r, i) * x) % i,
    P = (be(g, t, i) * l) % i
  return { pow_p_5_8: (be(P, Qi, i) * e) % i, b2: a }
}
function ts(e) {
  return ((e[0] &= 248), (e[31] &= 127), (e[31] |= 64), e)
}
var ji = BigInt('19681161376707505956807079304988542015446066515923890162744021073123829784752')
function Kd(e, t) {
  let n = tr,
    o = Z(t * t * t, n),
    r = Z(o * o * t, n),
    i = qd(e * r).pow_p_5_8,
    s = Z(e * o * i, n),
    a = Z(t * s * s, n),
    d = s,
    f = Z(s * ji, n),
    l = a === e,
    p = a === Z(-e, n),
    y = a === Z(-e * ji, n)
  return (
    l && (s = d), (p || y) && (s = f), Ji(s, n) && (s = Z(-s, n)), { isValid: l || p, value: s }
  )
}
var nr = Yi(Gd, { uvRatio: Kd }),
  es = nr.Fp
function Wd(e) {
  const { y: t } = e
  return es.toBytes(es.div(er + t, er - t))
}
function Zd(e) {
  const t = nr.Fp.BYTES
  return (Ie(e, t), ts(Wn(e.subarray(0, t))).subarray(0, t))
}
function zd(e) {
  return Xi(
    nr,
    Wn,
    Object.assign(
      { adjustScalarBytes: ts, toMontgomery: Wd, toMontgomerySecret: Zd, zip215: !0 },
      e,
    ),
  )
}
var ns = zd({})
var Ct = oe(pe(), 1)
var mn = oe(pe(), 1),
  ms = oe(lr(), 1),
  xs = oe(us(), 1),
  gs = oe(Sr(), 1)
var ls = 2n ** 64n - 1n,
  Uf = 2n ** 32n - 1n,
  hs = 11n,
  ps = 50,
  qr = 32,
  Hf = 20,
  xn = new Uint8Array(),
  Kr = (e) => {
    const t = e.member('parts'),
      n = e.member('hash').text() === '',
      o = n ? 0 : qr,
      r = n ? { to: 0n } : { from: 1n, to: Uf }
    return {
      hash: e.member('hash').hex(o),
      parts: { total: Number(t.member('total').integer(r)), hash: t.member('hash').hex(o) },
    }
  },
  ys = (e) => (e.text() === '' ? xn : e.hex(qr)),
  Cf = (e) => {
    const t = e.member('block').integer({ to: ls })
    return (
      A(
        t === hs,
        'malformed',
        `${e.path}.block is ${t}: only headers of block protocol ${hs} can be verified.`,
      ),
      { block: t, app: e.optional('app')?.integer({ to: ls }) ?? 0n }
    )
  },
  Ff = (e) => {
    const t = e.text(),
      n = new TextEncoder().encode(t).length
    return (A(n > 0 && n <= ps, 'malformed', `${e.path} must be a text of 1 to ${ps} bytes.`), t)
  },
  bs = (e) => {
    const t = (r) => e.member(r).hex(qr),
      n = (r) => ys(e.member(r)),
      o = e.optional('implicit_hash')
    return {
      version: Cf(e.member('version')),
      chainId: Ff(e.member('chain_id')),
      height: e.member('height').integer({ from: 1n }),
      time: Zr(e.member('time')),
      lastBlockId: Kr(e.member('last_block_id')),
      lastCommitHash: n('last_commit_hash'),
      dataHash: n('data_hash'),
      validatorsHash: t('validators_hash'),
      nextValidatorsHash: t('next_validators_hash'),
      consensusHash: t('consensus_hash'),
      appHash: e.member('app_hash').hex(),
      lastResultsHash: n('last_results_hash'),
      evidenceHash: n('evidence_hash'),
      proposerAddress: e.member('proposer_address').hex(Hf),
      ...(o ? { implicitHash: ys(o) } : {}),
    }
  },
  xe = {
    bytes: (e) => (e.length === 0 ? xn : new mn.BinaryWriter().uint32(10).bytes(e).finish()),
    text: (e) => (e === '' ? xn : new mn.BinaryWriter().uint32(10).string(e).finish()),
    integer: (e) => (e === 0n ? xn : new mn.BinaryWriter().uint32(8).int64(e).finish()),
  },
  Wr = ({ seconds: e, nanos: t }) => ms.Timestamp.encode({ seconds: e, nanos: t }).finish(),
  Lf = ({ hash: e, parts: t }) => xs.BlockID.encode({ hash: e, partSetHeader: t }).finish(),
  Ss = (e) =>
    Ht([
      gs.Consensus.encode(e.version).finish(),
      xe.text(e.chainId),
      xe.integer(e.height),
      Wr(e.time),
      Lf(e.lastBlockId),
      xe.bytes(e.lastCommitHash),
      xe.bytes(e.dataHash),
      xe.bytes(e.validatorsHash),
      xe.bytes(e.nextValidatorsHash),
      xe.bytes(e.consensusHash),
      xe.bytes(e.appHash),
      xe.bytes(e.lastResultsHash),
      xe.bytes(e.evidenceHash),
      xe.bytes(e.proposerAddress),
      ...(e.implicitHash ? [xe.bytes(e.implicitHash)] : []),
    ]),
  Df = Uint8Array.of(0),
  Jf = Uint8Array.of(1),
  Mf = (e) => 2 ** Math.ceil(Math.log2(e) - 1),
  Ht = (e) => {
    const [t] = e
    if (!t) return Oe(new Uint8Array())
    if (e.length === 1) return Oe(st(Df, t))
    const n = Mf(e.length)
    return Oe(st(Jf, Ht(e.slice(0, n)), Ht(e.slice(n))))
  },
  $f = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/,
  Zr = (e) => {
    const [, t = '', n = ''] = $f.exec(e.text()) ?? [],
      o = Date.parse(`${t}Z`)
    if (!(!Number.isNaN(o) && new Date(o).toISOString().startsWith(t)))
      throw new $('malformed', `${e.path} must be a time such as 2026-11-21T08:00:00.123Z.`)
    return { seconds: BigInt(o / 1e3), nanos: Number(n.padEnd(9, '0')) }
  },
  Bs = ({ seconds: e }) => `${new Date(Number(e) * 1e3).toISOString().slice(0, 19)}Z`,
  ws = (e, t) => (e.seconds === t.seconds ? e.nanos > t.nanos : e.seconds > t.seconds)
var Vf = 1e4,
  Gf = 64,
  qf = 20,
  Kf = '0001-01-01T00:00:00Z',
  Wf = 2n ** 31n - 1n,
  Zf = 1n,
  zf = new Map([
    [2n, 'commit'],
    [3n, 'nil'],
  ]),
  Yf = (e) => {
    const t = e.member('block_id_flag').integer({ from: Zf, to: 3n }),
      n = e.member('validator_address'),
      o = e.member('signature'),
      r = zf.get(t)
    if (r === void 0) {
      if (
        n.orNull(() => !0) === null &&
        o.orNull(() => !0) === null &&
        e.member('timestamp').text() === Kf
      )
        return null
      throw new $(
        'malformed',
        `${e.path} is of an absent validator and has an address, a time or a signature.`,
      )
    }
    return {
      vote: r,
      address: (0, ks.toHex)(n.hex(qf)).toUpperCase(),
      time: Zr(e.member('timestamp')),
      signature: o.base64(Gf),
    }
  },
  Es = (e) => ({
    height: e.member('height').integer({ from: 1n }),
    round: e.member('round').integer({ to: Wf }),
    blockId: Kr(e.member('block_id')),
    signatures: e.member('signatures').list(Vf).map(Yf),
  }),
  Xf = 2,
  Qf = ({ hash: e, parts: t }) => {
    const n = new Ct.BinaryWriter().uint32(8).uint32(t.total).uint32(18).bytes(t.hash)
    return new Ct.BinaryWriter().uint32(10).bytes(e).uint32(18).bytes(n.finish()).finish()
  },
  jf = ({ height: e, round: t, blockId: n }, { vote: o, time: r }, i) => {
    const s = new Ct.BinaryWriter().uint32(8).int32(Xf).uint32(17).sfixed64(e)
    return (
      t > 0n && s.uint32(25).sfixed64(t),
      o === 'commit' && s.uint32(34).bytes(Qf(n)),
      s.uint32(42).bytes(Wr(r)).uint32(50).string(i),
      new Ct.BinaryWriter().bytes(s.finish()).finish()
    )
  },
  ec = (e, t, n) => ns.verify(e, t, n, { zip215: !0 }),
  Is = (e, t, { chainId: n, verifySignature: o = ec, enough: r }) => {
    const { signatures: i, height: s } = e
    A(
      i.length === t.length,
      'wrong_validators',
      `The commit of height ${s} has ${i.length} signatures for ${t.length} validators.`,
    )
    let a = new Set(),
      d = 0n
    for (const [f, l] of t.entries()) {
      const p = i[f]
      if (!p) continue
      const { address: y } = p,
        x = `signatures[${f}] of the commit of height ${s}`
      A(!a.has(y), 'duplicate_signature', `${x} is a second one of ${y}.`),
        a.add(y),
        A(
          y === l.address,
          'wrong_validators',
          `${x} is of ${y}, where the validator set has ${l.address}.`,
        )
      const B = jf(e, p, n)
      if (
        (A(
          o(p.signature, B, l.key),
          'wrong_signature',
          `${x} is not the signature of ${y} for this block, time and chain.`,
        ),
        p.vote === 'commit' && (d += l.power),
        r !== void 0 && d > r)
      )
        break
    }
    return d
  },
  As = ({ blockId: e }, t) => re(e.hash, t)
var zr = oe(ot(), 1)
var vs = oe(kr(), 1),
  Ns = oe(Or(), 1)
var tc = 1e4,
  Os = 20,
  nc = 32,
  Ps = (2n ** 63n - 1n) / 8n,
  _s = 'tendermint/PubKeyEd25519',
  rc = (e) => {
    const t = e.member('pub_key'),
      n = t.member('type').text()
    if (n !== _s) throw new $('malformed', `${t.path}.type is ${n}: only ${_s} can be verified.`)
    const o = t.member('value').base64(nc),
      r = (0, zr.toHex)(Oe(o).slice(0, Os)).toUpperCase(),
      i = (0, zr.toHex)(e.member('address').hex(Os)).toUpperCase()
    return (
      A(r === i, 'wrong_validators', `${e.path}.address is not the address of its key.`),
      { address: r, key: o, power: e.member('voting_power').integer({ from: 1n }) }
    )
  },
  Ts = (e) => {
    const t = e.list(tc).map(rc)
    A(t.length > 0, 'malformed', `${e.path} is empty.`)
    const n = new Set(t.map(({ address: o }) => o))
    return (
      A(n.size === t.length, 'wrong_validators', `${e.path} has a validator twice.`),
      A(Ft(t) <= Ps, 'wrong_validators', `${e.path} has a total power above ${Ps}.`),
      t
    )
  },
  Rs = (e) =>
    Ht(
      e.map(({ key: t, power: n }) =>
        Ns.SimpleValidator.encode({
          pubKey: vs.PublicKey.fromPartial({ ed25519: t }),
          votingPower: n,
        }).finish(),
      ),
    ),
  Ft = (e) => e.reduce((t, { power: n }) => t + n, 0n)
var Re = (e) => (0, Us.toHex)(e).toUpperCase(),
  oc = (e, t) => 3n * e > 2n * t,
  ic = (e, t) => {
    const n = bs(e.member('header')),
      { height: o } = n
    A(
      n.chainId === t,
      'wrong_chain',
      `The header of height ${o} is of the chain ${n.chainId}, not of ${t}.`,
    )
    const r = Ss(n),
      i = Es(e.member('commit'))
    return (
      A(
        i.height === o,
        'wrong_height',
        `The commit is of height ${i.height}, the header of height ${o}.`,
      ),
      A(
        As(i, r),
        'wrong_header',
        `The header of height ${o} has the hash ${Re(r)}; the commit is for ${Re(i.blockId.hash)}.`,
      ),
      { header: n, hash: r, commit: i }
    )
  },
  sc = (e, { height: t, validatorsHash: n }) =>
    A(
      re(Rs(e), n),
      'wrong_validators',
      `The validators do not have the hash that the header of height ${t} names.`,
    ),
  ac = ({ header: e, commit: t }, n, { verifySignature: o, onlyNeeded: r = !1 } = {}) => {
    const i = Ft(n),
      { chainId: s } = e,
      a = r ? { enough: (2n * i) / 3n } : {},
      d = Is(t, n, { chainId: s, verifySignature: o, ...a })
    return (
      A(
        oc(d, i),
        'not_enough_power',
        `Power of ${d} of ${i} signed height ${e.height}: not more than two thirds.`,
      ),
      { power: d, totalPower: i }
    )
  },
  gn = (e, t, { path: n = 'proof', verifySignature: o } = {}) => {
    const r = ue(e, n),
      i = ic(r, t),
      s = Ts(r.member('validators'))
    return (sc(s, i.header), { ...i, validators: s, ...ac(i, s, { verifySignature: o }) })
  }
var dc = ({ validators: e }) => new Map(e.map(({ address: t, power: n }) => [t, n])),
  fc = (e, t) => {
    const n = dc(e)
    return (
      3n *
        t.commit.signatures.reduce(
          (r, i) => (i?.vote === 'commit' ? r + (n.get(i.address) ?? 0n) : r),
          0n,
        ) >
      Ft(e.validators)
    )
  },
  cc = (e, t) => t.header.height === e.header.height + 1n,
  Yr = (e, t) =>
    ws(t.header.time, e.header.time)
      ? cc(e, t)
        ? re(t.header.validatorsHash, e.header.nextValidatorsHash)
        : fc(e, t)
      : !1,
  Xr = ({ hash: e }, t) =>
    A(
      Re(e) === t.hash.toUpperCase(),
      'not_trusted',
      `The header of height ${t.height} does not have the trusted hash ${t.hash.toUpperCase()}. Compare the hash with where you found it. Do not copy a hash from the service that you verify.`,
    ),
  uc = (e, t) => {
    const n = t.find(({ header: o }) => o.height === e.height)
    if (!n)
      throw new $('trusted_unknown', `There is no light block of the trusted height ${e.height}.`)
    return (Xr(n, e), n)
  },
  Qr = (e, t) =>
    A(
      e.height <= t,
      'trusted_later',
      `The trusted header is of height ${e.height}, after the header ${t} of the proof. Trust the header of height ${t} or an earlier one.`,
    ),
  jr = ({ header: e }) =>
    new $(
      'not_trusted',
      `No light block after height ${e.height} is signed by more than a third of the trusted power. A light block in between is missing, or the chain is another one.`,
    ),
  Hs = (e, t, n) => {
    const { height: o } = t.header
    Qr(e, o)
    const r = uc(e, [t, ...n]),
      i = n
        .filter(({ header: a }) => a.height > e.height && a.height < o)
        .sort((a, d) => (a.header.height < d.header.height ? 1 : -1)),
      s = [r]
    for (let a = r; a.header.height < o; ) {
      const d = [t, ...i].find((f) => f.header.height > a.header.height && Yr(a, f))
      if (!d) throw jr(a)
      s.push(d), (a = d)
    }
    return s
  }
var Sn = oe(pe(), 1),
  we = oe(Ls(), 1)
var lc = 128,
  Lt = 32,
  $s = (e) =>
    e
      .list(2)
      .map((t) => ({
        type: t.member('type').text(),
        key: t.member('key').base64(),
        data: t.member('data').base64(),
      })),
  hc = (e) => e.length === Lt,
  Ds = (e) => {
    const t = new Sn.BinaryReader(e)
    try {
      const [n, o, r] = [t.sint64(), t.sint64(), t.sint64()]
      return { height: n, size: o, version: r, rest: e.slice(t.pos) }
    } catch {
      return null
    }
  },
  bn = (e) => e === Lt,
  pc = {
    isLeafPrefix: (e) => {
      const t = Ds(e)
      return (
        t !== null && t.height === 0n && t.size === 1n && t.version >= 0n && t.rest.length === 0
      )
    },
    isInner: ({ prefix: e, suffix: t }, n) => {
      const o = Ds(e)
      if (!o || o.height < BigInt(n) || o.size < 2n || o.version < 0n) return !1
      const { rest: r } = o,
        i = r.length === 1 && t.length === 1 + Lt,
        s = r.length === 2 + Lt && t.length === 0
      return i ? bn(r[0]) && bn(t[0]) : s && bn(r[0]) && bn(r.at(-1))
    },
  },
  yc = {
    isLeafPrefix: (e) => re(e, Uint8Array.of(0)),
    isInner: ({ prefix: e, suffix: t }) => {
      if (e[0] !== 1) return !1
      const n = e.length === 1 && hc(t),
        o = e.length === 1 + Lt && t.length === 0
      return n || o
    },
  },
  mc = (e, t) =>
    e !== void 0 &&
    e.hash === we.HashOp.SHA256 &&
    e.prehashKey === we.HashOp.NO_HASH &&
    e.prehashValue === we.HashOp.SHA256 &&
    e.length === we.LengthOp.VAR_PROTO &&
    t.isLeafPrefix(e.prefix),
  Js = (e) => ze(new Sn.BinaryWriter().uint32(e.length).finish(), e),
  xc = (e, t) => {
    try {
      const { exist: n } = we.CommitmentProof.decode(e),
        o = we.CommitmentProof.fromPartial(n ? { exist: n } : {})
      if (n && re(we.CommitmentProof.encode(o).finish(), e)) return n
    } catch {}
    throw new $('malformed', `The ${t} part of proofOps is not an ICS-23 existence proof.`)
  },
  Ms = (e, t, { key: n, value: o }) => {
    const r = xc(e.data, e.type)
    A(
      re(e.key, n) && re(r.key, n),
      'wrong_key',
      `The ${e.type} part of proofOps proves another key.`,
    ),
      A(re(r.value, o), 'wrong_value', `The ${e.type} part of proofOps proves another value.`)
    const { leaf: i, path: s } = r,
      a =
        mc(i, t) &&
        s.length <= lc &&
        s.every((f, l) => f.hash === we.HashOp.SHA256 && t.isInner(f, l + 1))
    A(a, 'malformed', `The ${e.type} part of proofOps does not have the form of its tree.`)
    const d = Oe(ze(i.prefix, Js(n), Js(Oe(o))))
    return s.reduce((f, { prefix: l, suffix: p }) => Oe(ze(l, f, p)), d)
  },
  Vs = ({ store: e, key: t, value: n }, o) => {
    const [r, i] = o
    A(
      r?.type === 'ics23:iavl' && i?.type === 'ics23:simple' && o.length === 2,
      'malformed',
      'proofOps must be a proof of type ics23:iavl and then one of type ics23:simple.',
    ),
      A(n.length > 0, 'malformed', 'value is empty: the chain has nothing at this key.')
    const s = Ms(r, pc, { key: t, value: n }),
      a = new TextEncoder().encode(e)
    return (
      A(
        re(i.key, a),
        'wrong_store',
        `proofOps prove a key of the store ${new TextDecoder().decode(i.key)}, not of ${e}.`,
      ),
      Ms(i, yc, { key: a, value: s })
    )
  }
var Gs = oe(pe(), 1)
var Bn = 'gov',
  qs = (e) => {
    const t = new Uint8Array(9)
    return (new DataView(t.buffer).setBigUint64(1, e), t)
  },
  gc = ['unspecified', 'deposit_period', 'voting_period', 'passed', 'rejected', 'failed'],
  bc = /^[0-9]{1,78}$/,
  Sc = (e) => {
    const t = ['0', '0', '0', '0'],
      n = e.uint32() + e.pos
    for (; e.pos < n; ) {
      const [a, d] = e.tag()
      if (a < 1 || a > t.length) {
        e.skipType(d)
        continue
      }
      const f = e.string()
      if (!bc.test(f)) throw new RangeError('no amount')
      t[a - 1] = f
    }
    const [o = '0', r = '0', i = '0', s = '0'] = t
    return { yes: o, abstain: r, no: i, noWithVeto: s }
  },
  Ks = (e) => {
    try {
      const t = new Gs.BinaryReader(e),
        n = { id: '0', status: 'unspecified', tally: null }
      for (; t.pos < e.length; ) {
        const [o, r] = t.tag()
        o === 1
          ? (n.id = t.uint64().toString())
          : o === 3
            ? (n.status = gc[t.uint32()] ?? 'unspecified')
            : o === 4
              ? (n.tally = Sc(t))
              : t.skipType(r)
      }
      return n
    } catch {
      throw new $('malformed', 'value is not a stored proposal.')
    }
  }
var Bc = ([e, ...t]) => {
    if (!e || t.length === 0) return 'This header is the one that you trust.'
    const { height: n, time: o } = e.header,
      r = `From the header ${n} of ${Bs(o)} that you trust`,
      i = t.length === 1 ? 'one hop leads' : `${t.length} hops lead`,
      s = t.map(({ header: a }) => a.height).join(', ')
    return `${r}, ${i} to it: ${s}. At each hop, validators that you already trusted have signed.`
  },
  wc = (e, t) => {
    const n = t.at(-1),
      { height: o, appHash: r } = n.header
    return [
      {
        step: 'value',
        proves: `The store ${Bn} has proposal ${e.id} with the status ${e.status} in the state whose app hash is ${Re(r)}.`,
      },
      {
        step: 'header',
        proves: `The header of height ${o} names this app hash; its own hash is ${Re(n.hash)}.`,
      },
      {
        step: 'signatures',
        proves: `Validators with ${n.power} of the power of ${n.totalPower} signed this header: more than two thirds.`,
      },
      { step: 'trust', proves: Bc(t) },
    ]
  },
  Ws = (e, { chainId: t, proposalId: n }) => {
    const o = ue(e),
      r = o.member('height').integer({ from: 1n }),
      i = o.member('store').text(),
      s = o.member('key').hex(),
      a = o.member('value').base64()
    A(i === Bn, 'wrong_store', `The proof is of the store ${i}, not of ${Bn}.`),
      A(re(s, qs(n)), 'wrong_key', `The key of the proof is not that of proposal ${n}.`)
    const d = Vs({ store: i, key: s, value: a }, $s(o.member('proofOps'))),
      f = gn(e, t)
    A(
      f.header.height === r + 1n,
      'wrong_height',
      `The state of height ${r} is in the header of height ${r + 1n}, not of ${f.header.height}.`,
    ),
      A(
        re(f.header.appHash, d),
        'wrong_app_hash',
        `The proof leads to the app hash ${Re(d)}; the header has ${Re(f.header.appHash)}.`,
      )
    const l = Ks(a)
    return (
      A(l.id === `${n}`, 'wrong_value', `The value is of proposal ${l.id}, not of ${n}.`),
      { proposal: l, height: r, block: f }
    )
  },
  Zs = ({ proposal: e, height: t, block: n }, o, r) => {
    const { chainId: i } = n.header,
      s = r.find(({ header: d }) => d.chainId !== i)
    A(
      s === void 0,
      'wrong_chain',
      `A light block of height ${s?.header.height} is of the chain ${s?.header.chainId}, not of ${i}.`,
    )
    const a = Hs(o, n, r)
    return { proposal: e, height: t, path: a, steps: wc(e, a) }
  }
var zs = (e, t) => ue(e, t).member('header').member('chain_id').text(),
  Ys = async (e, t, n) => {
    const o = await e.lightBlock(t),
      r = `lightBlocks[${t}]`,
      { verifySignature: i } = e,
      s = i ? { path: r, verifySignature: i } : { path: r },
      a = gn(o, n ?? zs(o, r), s)
    return (
      A(
        a.header.height === t,
        'wrong_height',
        `The light block of height ${t} has a header of height ${a.header.height}.`,
      ),
      a
    )
  },
  po = async (e, t, n) => {
    if (Yr(t, n)) return []
    const o = await e.heightBetween(t.header.height, n.header.height)
    if (o === null) throw jr(t)
    const r = await Ys(e, o, t.header.chainId)
    return [...(await po(e, t, r)), r, ...(await po(e, r, n))]
  },
  kc = async (e, t) => {
    const n = await Ys(e, t.height)
    return (Xr(n, t), n)
  }
var Xs = async (e, { proposalId: t, trusted: n }) => {
  const o = await e.proof(),
    r = ue(o).member('header').member('height').integer({ from: 1n })
  Qr(n, r)
  const i = n.height === r ? null : await kc(e, n),
    s = i?.header.chainId ?? zs(o, 'proof'),
    a = Ws(o, { chainId: s, proposalId: t }),
    d = i ? [i, ...(await po(e, i, a.block))] : []
  return Zs(a, n, d)
}
var yo = '/api/light-blocks',
  Ec = 1e3,
  Ic = 1e3,
  Ac = 200,
  Oc = 404,
  Pc = 32,
  na = (e) => new $('unavailable', e),
  _c = (e) => {
    const t = typeof e == 'object' && e !== null && 'detail' in e ? e.detail : null
    return typeof t == 'string' ? `: ${t}` : '.'
  },
  Qs = (e, t, n) => e.optional(t)?.orNull(n) ?? null,
  js = (e) => e.text(),
  vc = (e, t, n) => {
    const o = (r) => {
      const i = 2n * r - t - n
      return i < 0n ? -i : i
    }
    return e
      .filter((r) => r > t && r < n)
      .reduce((r, i) => (r === null || o(i) < o(r) ? i : r), null)
  },
  Nc = (e, t) => {
    const o = [t.findLast((i) => i < e), t.find((i) => i > e)]
        .filter((i) => i !== void 0)
        .join(' and '),
      r =
        o === ''
          ? 'It keeps none yet.'
          : `The nearest that it keeps: ${o}. Look up the header hash of one of these heights from a source that you trust.`
    return new $('trusted_unknown', `Rollcall keeps no light block of height ${e}. ${r}`)
  },
  ea = (e, { status: t, body: n }) => {
    if (t !== Ac) throw na(`The response to ${e} has the status ${t}${_c(n)}`)
    if (typeof n == 'object' && n !== null) return n
    throw new $('malformed', `The response to ${e} must be a JSON object.`)
  },
  Tc = (e, { proposalId: t, round: n }) => {
    let o = async (d) => ea(d, await e(d)),
      r = async (d, f) => {
        const l = ue(d, f).member('validators').member('hash').hex(Pc),
          p = await o(`/api/validators/${(0, ta.toHex)(l).toUpperCase()}`)
        return { ...d, validators: 'validators' in p ? p.validators : null }
      },
      i = async () => {
        let d = [],
          f = yo
        for (let l = 0; l < Ic; l++) {
          const p = ue(await o(f), 'lightBlocks'),
            y = p.member('items').list(Ec)
          for (const g of y) d.push(g.member('height').integer({ from: 1n }))
          const x = Qs(p.member('links'), 'next', js),
            B = x?.lastIndexOf(`${yo}?`) ?? -1
          if (!x || B < 0 || y.length === 0) break
          f = x.slice(B)
        }
        return d.sort((l, p) => Number(l - p))
      },
      s,
      a = () => ((s ??= i()), s)
    return {
      proof: async () => {
        const d = `/api/proposals/${t}/proof${n === void 0 ? '' : `?round=${n}`}`,
          f = await o(d),
          l = Qs(ue(f), 'reason', js)
        if (l !== null) throw na(`Rollcall has no proof of proposal ${t}: ${l}.`)
        return r(f, 'proof')
      },
      lightBlock: async (d) => {
        const f = `${yo}/${d}`,
          l = await e(f)
        if (l.status === Oc) throw Nc(d, await a())
        return r(ea(f, l), `lightBlocks[${d}]`)
      },
      heightBetween: async (d, f) => vc(await a(), d, f),
    }
  },
  _l = (e, { proposalId: t, trusted: n, round: o }) =>
    Xs(Tc(e, { proposalId: t, round: o }), { proposalId: t, trusted: n })
export { _l as verifyFromApi, Tc as createApiSource }
/*! Bundled license information:

@scure/base/index.js:
  (*! scure-base - MIT License (c) 2022 Paul Miller (paulmillr.com) *)

@noble/curves/utils.js:
@noble/curves/abstract/modular.js:
@noble/curves/abstract/curve.js:
@noble/curves/abstract/edwards.js:
@noble/curves/ed25519.js:
  (*! noble-curves - MIT License (c) 2022 Paul Miller (paulmillr.com) *)
*/
