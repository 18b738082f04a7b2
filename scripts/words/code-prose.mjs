import { parseSync, Visitor } from 'rolldown/utils';

/** Stands for code in a sentence, so that names in the code do not count as words. */
const CODE = '`…`';

const SQL =
  /^\s*(?:(?:select|insert|update|delete|create|alter|drop|grant|with|set|begin|copy|comment on)\b.*(?:\bfrom\b|\binto\b|\bset\b|\btable\b|\bas\b|\bon\b|;)|(?:SELECT|WITH|WHERE|FROM)\b)/s;
const REGULAR_EXPRESSION = /\\[bdswpBDSWP]|\(\?[:=!<]|\[\^/;

/** Returns the passages of a module that people read: its comments and strings, each with its offset in the text. */
export function codeProse(file, text) {
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  return [...commentPassages(text, comments), ...stringPassages(program)];
}

function commentPassages(text, comments) {
  return joinedLines(text, comments).flatMap(({ start, value }) => {
    // A tag of a doc comment begins a new passage, and so does an item of a list.
    const parts = value.replace(/^\s*\* ?/gm, '').split(/^\s*(?:@\w+(?: \{.*?\})?(?: [\w.]+(?= ))?|[-*] |\d+\. )/m);
    return parts.map((part) => ({ offset: start, text: withoutCode(part) }));
  });
}

/** Joins consecutive line comments into one text. */
function joinedLines(text, comments) {
  const joined = [];
  for (const { type, value, start, end } of comments) {
    const last = joined.at(-1);
    const isNext = type === 'Line' && last?.type === 'Line' && /^\r?\n[ \t]*$/.test(text.slice(last.end, start));
    if (isNext) Object.assign(last, { value: `${last.value}\n${value}`, end });
    else joined.push({ type, value, start, end });
  }
  return joined;
}

function stringPassages(program) {
  const passages = [];
  const add = (start, value) => {
    if (isProse(value)) passages.push({ offset: start, text: withoutCode(value) });
  };
  new Visitor({
    Literal: ({ start, value }) => typeof value === 'string' && add(start, value),
    JSXText: ({ start, value }) => add(start, value),
    TemplateLiteral: ({ start, quasis }) => add(start, quasis.map(({ value }) => value.cooked ?? value.raw).join(CODE)),
  }).visit(program);
  return passages;
}

function isProse(text) {
  return /[a-z] [a-z]/i.test(text) && !SQL.test(text) && !REGULAR_EXPRESSION.test(text);
}

function withoutCode(text) {
  return text.replace(/`[^`]*`/g, CODE);
}
