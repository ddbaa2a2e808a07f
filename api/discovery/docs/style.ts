// The style of the API reference: light and dark, responsive, with system fonts.

export const STYLE = `:root{color-scheme:light dark;\
--text:#1c2127;--soft:#57606a;--line:#d5dae0;--back:#fff;--code:#f3f5f7;--link:#0b5cad}
@media (prefers-color-scheme:dark){\
:root{--text:#e3e7eb;--soft:#a0a9b4;--line:#363d46;--back:#14181d;--code:#1e242b;--link:#7db8f5}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--back);color:var(--text);font:1rem/1.55 system-ui,sans-serif;overflow-wrap:break-word}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,.wide:focus-visible,pre:focus-visible{\
outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}
.skip:focus{left:1rem;top:1rem;background:var(--back);padding:.5rem}
nav,main{padding:1rem}
nav ul{list-style:none;margin:0;padding:0}
nav li{margin:.3rem 0}
nav h2{font-size:.85rem;color:var(--soft);margin:1.2rem 0 .3rem}
h1{font-size:1.7rem;line-height:1.2;margin:.4rem 0 1rem}
main h2{font-size:1.35rem;margin:2.6rem 0 .6rem;border-bottom:1px solid var(--line);padding-bottom:.3rem}
h3{font-size:1.1rem;margin:2.2rem 0 .4rem}
p,li{max-width:48rem}
.path{font-family:ui-monospace,monospace;font-size:.95rem}
.site-notice{border:2px solid var(--line);padding:.5rem .8rem;font-weight:600}
.soft{color:var(--soft)}
code,pre{font-family:ui-monospace,monospace;font-size:.88em;background:var(--code);border-radius:4px}
code{padding:.1em .3em}
pre{padding:.8rem;overflow:auto;max-height:26rem;line-height:1.4}
.wide{overflow-x:auto;margin:.8rem 0}
table{border-collapse:collapse;font-size:.92rem;min-width:34rem;width:100%}
h4{font-size:1rem;margin:1.2rem 0 .4rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-top:1px solid var(--line)}
td code{overflow-wrap:anywhere}
td:first-child code{white-space:nowrap}
summary{cursor:pointer;padding:.4rem 0;font-weight:600}
@media (min-width:64rem){
body{display:grid;grid-template-columns:18rem minmax(0,70rem)}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;border-right:1px solid var(--line)}
main{padding:1rem 2.5rem 6rem}
}
@media print{nav{display:none}}
`
