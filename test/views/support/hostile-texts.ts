/** Texts that would run a script or send a request if a view inserted them as markup. */
const MARKUP = [
  '<script>window.hit=1</script>',
  '<img src=x onerror=window.hit=1>',
  '<img src=https://a.example/p.png>',
  '<svg onload=window.hit=1></svg>',
  '<svg><script>window.hit=1</script></svg>',
  '<iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
  '<iframe src=javascript:window.hit=1></iframe>',
  '<a href=javascript:window.hit=1 autofocus onfocus=window.hit=1>x</a>',
  '<object data=https://a.example/o></object>',
  '<embed src=https://a.example/e>',
  '<link rel=stylesheet href=https://a.example/s.css>',
  '<style>*{background:url(https://a.example/b)}</style>',
  '<meta http-equiv=refresh content="0;url=https://a.example/">',
  '<base href=https://a.example/>',
  '<form action=https://a.example/><input autofocus onfocus=window.hit=1></form>',
  '<video src=x onerror=window.hit=1></video>',
  '<details open ontoggle=window.hit=1>x</details>',
  '<body onload=window.hit=1>',
  '<math><mtext><script>window.hit=1</script></mtext></math>',
  '<template><img src=x onerror=window.hit=1></template>',
  '</script><script>window.hit=1</script>',
  '</pre><img src=x onerror=window.hit=1>',
  '</style><img src=x onerror=window.hit=1>',
  '--><img src=x onerror=window.hit=1><!--',
  ']]><img src=x onerror=window.hit=1>',
  '"onmouseover="window.hit=1"x="',
  "'onfocus='window.hit=1'autofocus='",
  '`-window.hit=1-`',
  '${window.hit=1}',
  '{{constructor.constructor("window.hit=1")()}}',
  'javascript:window.hit=1',
  'data:text/html,<script>window.hit=1</script>',
  '&lt;img src=x onerror=window.hit=1&gt;',
  '\\u003cimg src=x onerror=window.hit=1\\u003e',
  '@import url(https://a.example/i.css);',
  'expression(window.hit=1)',
];

/** Texts that could hide, reorder or imitate what a view shows, and names of properties that every object has. */
const DECEPTION = [
  '\u202Egpj.exe',
  '\u2066abc\u2069\u202D',
  'a\u200Bb\u200Cc\u200D',
  '\uFEFFbom',
  'שלום world',
  `e${'\u0301'.repeat(60)}`,
  'x\u001B[31mred\u001B[2J',
  'a\bb\u0007\u007F',
  'раypal',
  '__proto__',
  'constructor',
  'toString',
  '+++ b/other.txt',
  '--- a/other.txt',
];

const WRAPPERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => ` ${text} `,
  (text) => `"${text}"`,
  (text) => `'>${text}`,
  (text) => `\u202E${text}`,
  (text) => `${text.toUpperCase()}`,
  (text) => `a${text}b`,
  (text) => `<b>${text}</b>`,
  (text) => `${text}${text}`,
  (text) => `=cmd|${text}`,
];

/** 500 hostile texts without line breaks. */
export const HOSTILE_TEXTS: readonly string[] = [...MARKUP, ...DECEPTION].flatMap((text) => WRAPPERS.map((wrap) => wrap(text)));

/** Returns the texts as names of files: without slashes, and short enough. */
export function asNames(texts: readonly string[]): readonly string[] {
  const names = texts.map((text, index) => `${index} ${text.replaceAll('/', '∕')}`);
  return names.map((name) => Buffer.from(name).subarray(0, 200).toString('utf8').replaceAll('\uFFFD', ''));
}
