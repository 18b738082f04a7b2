import type { View } from '@org/mcp-testing/views';
import { expect } from 'vitest';

/** Facts about a document that shows hostile texts. */
interface Facts {
  /** Whether a script of a text has run. */
  readonly hit: boolean;
  readonly scripts: number;
  /** Elements that views never create. */
  readonly foreign: readonly string[];
  /** Attributes that run scripts. */
  readonly handlers: readonly string[];
  /** Texts and labels with characters that hide or reorder others. */
  readonly deceptive: readonly string[];
}

/** A script that runs in the view and returns the facts. */
const READ_FACTS = `(() => {
  const all = [...document.querySelectorAll('*')];
  const deceptive = /[\\u202a-\\u202e\\u2066-\\u2069\\u200b-\\u200f\\ufeff\\u0000-\\u0008\\u000b-\\u001f\\u007f]/;
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (!/^(script|style)$/i.test(walker.currentNode.parentNode.nodeName)) texts.push(walker.currentNode.data);
  const labels = all.flatMap((element) => ['aria-label', 'title', 'alt', 'placeholder'].map((name) => element.getAttribute(name) ?? ''));
  return {
    hit: 'hit' in window,
    scripts: document.scripts.length,
    foreign: [...document.querySelectorAll('img, iframe, object, embed, link, base, form, video, math, template, meta[http-equiv]')].map(({ outerHTML }) => outerHTML),
    handlers: all.flatMap((element) => [...element.attributes].filter(({ name, value }) => /^on/i.test(name) || /^\\s*javascript:/i.test(value)).map(({ name }) => name)),
    deceptive: [...texts, ...labels].filter((text) => deceptive.test(text)),
  };
})()`;

/** Expects that no script of a text has run in a view, that it has sent no request, and that no text deceives. */
export async function expectHarmless(view: View): Promise<void> {
  const facts = await view.frame.evaluate<Facts>(READ_FACTS);
  expect(facts).toEqual({ hit: false, scripts: 1, foreign: [], handlers: [], deceptive: [] });
  expect([view.requests, view.errors]).toEqual([[], []]);
}
