import path from 'node:path';

import type { DocumentPart } from './document.ts';
import { parseXml } from './parse-xml.ts';
import type { ReadableZip } from './readable-zip.ts';

const MAIN = 'ppt/presentation.xml';
const RELATIONS = 'ppt/_rels/presentation.xml.rels';

/** Reads the text of the slides of a presentation, in their order. */
export async function readPresentation(zip: ReadableZip): Promise<readonly DocumentPart[]> {
  const targets = readTargets(await zip.text(RELATIONS));
  const ids = readSlideIds(await zip.text(MAIN));
  if (ids.length === 0) throw new Error('the presentation has no slides');
  return Promise.all(
    ids.map(async (id, index) => ({
      title: `Slide ${index + 1}`,
      text: readSlide(await zip.text(path.posix.join('ppt', targets.get(id) ?? ''))),
    })),
  );
}

function readTargets(xml: string): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  parseXml(xml, {
    open: (name, { Id: id, Target: target }) => {
      if (name === 'Relationship' && id !== undefined && target !== undefined) targets.set(id, target);
    },
    close: () => undefined,
    text: () => undefined,
  });
  return targets;
}

function readSlideIds(xml: string): readonly string[] {
  const ids: string[] = [];
  parseXml(xml, {
    open: (name, { 'r:id': id }) => {
      if (name === 'p:sldId' && id !== undefined) ids.push(id);
    },
    close: () => undefined,
    text: () => undefined,
  });
  return ids;
}

/**
 * Reads the text of a slide. Each paragraph outside tables and each row of a table becomes a line. The cells of a row are
 * separated by tabs.
 */
function readSlide(xml: string): string {
  const parts: string[] = [];
  let isText = false;
  let isCell = false;
  parseXml(xml, {
    open: (name) => {
      isText = name === 'a:t';
      if (name === 'a:tc') isCell = true;
      if (name === 'a:br') parts.push(isCell ? ' ' : '\n');
      if (name === 'a:tab') parts.push('\t');
    },
    close: (name) => {
      isText = false;
      if (name === 'a:tc') isCell = false;
      if (name === 'a:tc') parts.push('\t');
      if (name === 'a:tr' || (name === 'a:p' && !isCell)) parts.push('\n');
    },
    text: (text) => {
      if (isText) parts.push(text);
    },
  });
  return parts.join('').trim();
}
