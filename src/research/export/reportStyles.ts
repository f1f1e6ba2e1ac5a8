/** Styles of an exported report: for the screen in light and dark, and for paper. Sizes follow the reader's own. */
export const reportStyles = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --text: #1f2328; --quiet: #59636e; --line: #d1d9e0; --soft: #f6f8fa; --link: #0550ae; --mark: #fff4c2;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #16191d; --text: #e4e7eb; --quiet: #a3adb8; --line: #3a424b; --soft: #20252b; --link: #7cb7ff; --mark: #3d3510; }
}
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--text); font: 100%/1.65 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans CJK SC", sans-serif; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; }
main { position: relative; max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; overflow-wrap: anywhere; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 2.25rem 0 .75rem; text-wrap: balance; }
h1 { font-size: 2rem; margin: 0 0 1.25rem; letter-spacing: -.01em; }
h2 { font-size: 1.4rem; border-block-end: 1px solid var(--line); padding-block-end: .3rem; }
h3 { font-size: 1.15rem; }
h4, h5, h6 { font-size: 1rem; }
p, ul, ol, blockquote, pre, .table { margin: 0 0 1rem; }
ul, ol { padding-inline-start: 1.5rem; }
li { margin: .25rem 0; }
li > p { margin: 0 0 .5rem; }
li > ul, li > ol { margin-block-end: .25rem; }
a { color: var(--link); text-decoration-thickness: from-font; text-underline-offset: .15em; }
a:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
header { margin-block-end: 2.5rem; }
dl { margin: 0; padding: .25rem 0; border-block: 1px solid var(--line); color: var(--quiet); font-size: .875rem; line-height: 1.5; }
dl div { display: grid; grid-template-columns: 6rem 1fr; gap: .75rem; padding: .2rem 0; }
dt { font-weight: 600; }
dd { margin: 0; }
.citation { text-decoration: none; font-size: .85em; white-space: nowrap; padding: .1em .05em; }
.citation:hover { text-decoration: underline; }
p, li, blockquote { position: relative; }
.evidence { display: none; position: absolute; z-index: 1; inset-inline: 0; padding: .6rem .8rem; max-height: 18rem; overflow: auto; background: var(--soft); color: var(--text); border: 1px solid var(--line); border-radius: 6px; box-shadow: 0 4px 16px #0004; font-size: .875rem; line-height: 1.5; }
.cited:hover .evidence, .cited:focus-within .evidence { display: block; }
.table .evidence { inset-inline: 1.25rem; }
q { display: block; margin-block-start: .4rem; padding-inline-start: .75rem; border-inline-start: 3px solid var(--line); white-space: pre-line; quotes: none; }
mark { background: var(--mark); color: inherit; }
.rests { display: none; }
ul:has(> .reference) { list-style: none; padding: 0; }
.reference { scroll-margin-top: 1rem; margin: .6rem 0; padding-inline-start: 2.5rem; }
.reference > p { display: inline; }
.reference:target, .citation:target { background: var(--mark); border-radius: 3px; }
.number { font-variant-numeric: tabular-nums; display: inline-block; min-width: 2.25rem; margin-inline-start: -2.5rem; }
.backs { color: var(--quiet); font-size: .875rem; }
.back { text-decoration: none; display: inline-block; min-width: 1.5rem; text-align: center; }
blockquote { padding-inline: 1rem 0; border-inline-start: 3px solid var(--line); color: var(--quiet); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: .875em; }
code { background: var(--soft); border-radius: 4px; padding: .1em .3em; }
dl code { background: none; padding: 0; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .75rem 1rem; overflow-x: auto; overflow-wrap: normal; line-height: 1.5; }
pre code { background: none; padding: 0; font-size: 1em; }
.table { overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; min-width: 100%; font-size: .925rem; line-height: 1.45; }
th, td { border: 1px solid var(--line); padding: .4rem .65rem; text-align: start; vertical-align: top; min-width: 6rem; }
th { background: var(--soft); }
.left { text-align: left; } .center { text-align: center; } .right { text-align: right; }
figure { margin: 0 0 1rem; }
.chart { max-width: 100%; height: auto; font-size: 13px; fill: var(--text); }
.chart .bar { fill: var(--link); opacity: .75; }
.chart .label { fill: var(--quiet); }
.chart a { fill: var(--link); }
@media (max-width: 40rem) {
  main { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.55rem; }
}
@media print {
  :root { --ground: #fff; --text: #000; --quiet: #333; --line: #999; --soft: #fff; --link: #000; --mark: #fff; }
  @page { margin: 20mm 18mm; }
  html { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  h1, h2, h3, h4, h5, h6 { break-after: avoid; }
  tr, pre, blockquote, figure, .reference { break-inside: avoid; }
  p { orphans: 3; widows: 3; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .table { overflow: visible; overflow-wrap: anywhere; }
  thead { display: table-header-group; }
  .backs, .cited:focus-within .evidence { display: none; }
  .rests { display: block; font-size: .9em; }
  mark { font-weight: 600; }
  a { text-decoration: none; }
}
`;
