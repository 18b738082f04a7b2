import { Field } from '@org/mcp-decorators';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsBoolean, IsInt, IsString, MaxLength, Min, ValidateNested } from 'class-validator';

export const ENTRY = { name: 'bench/inputs.mjs', size: 2048, hidden: false };
export const LISTING = {
  path: 'bench',
  entries: Array.from({ length: 10 }, (_, position) => ({ ...ENTRY, name: `file-${position}.mjs` })),
};

/** One wrong property each, at the root and in the last nested object. */
export const WRONG_ENTRIES = [
  { ...ENTRY, size: '2048' },
  { ...ENTRY, owner: 'ada' },
];
export const WRONG_LISTINGS = WRONG_ENTRIES.map((entry) => ({ ...LISTING, entries: [...LISTING.entries.slice(1), entry] }));

/** A class of three fields, another one with each call; annotated by hand, because there is no compiler here. */
export function declareEntry() {
  class Entry {
    name;
    size;
    hidden;
  }
  return annotateEntry(Entry);
}

/** The like for the other classes of a process. The engine optimizes by place in the source: what is measured has one of its own. */
export function declareOther() {
  class Other {
    name;
    size;
    hidden;
  }
  return annotateEntry(Other);
}

/** A class that holds an array of {@link declareEntry}'s. */
export function declareListing() {
  const Entry = declareEntry();
  class Listing {
    path;
    entries;
  }
  annotate(Listing, 'path', IsString(), MaxLength(4096));
  annotate(
    Listing,
    'entries',
    Field('What it holds', { type: () => Entry }),
    Type(() => Entry),
  );
  annotate(Listing, 'entries', IsArray(), ArrayMaxSize(1000), ValidateNested({ each: true }));
  return Listing;
}

function annotateEntry(target) {
  annotate(target, 'name', IsString(), MaxLength(4096));
  annotate(target, 'size', IsInt(), Min(0));
  annotate(target, 'hidden', IsBoolean());
  return target;
}

function annotate({ prototype }, property, ...decorators) {
  for (const decorator of decorators) decorator(prototype, property);
}
