import { ClassSchema } from '@org/mcp-decorators';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import * as z from 'zod';

import { declareEntry, declareListing, declareOther } from './inputs.mjs';

/**
 * Readers of untrusted values. Each function declares a new shape on each call and returns a function that reads a
 * value, and throws if the value is invalid.
 */
export const READERS = {
  plan: ofClasses(byPlan),
  'class-transformer + class-validator': ofClasses(byTransformer),
  zod: { entry: () => byZod(zodEntry()), listing: () => byZod(zodListing()), other: () => byZod(zodEntry()) },
  ajv: ofClasses(byAjv),
};

function ofClasses(readerOf) {
  return {
    entry: () => readerOf(declareEntry()),
    listing: () => readerOf(declareListing()),
    other: () => readerOf(declareOther()),
  };
}

function byPlan(target) {
  const schema = ClassSchema.of(target);
  return (input) => {
    const { value, issues } = schema.parse(input);
    return issues === undefined ? value : refuse(issues);
  };
}

function byTransformer(target) {
  const options = { whitelist: true, forbidNonWhitelisted: true };
  return (input) => {
    const instance = plainToInstance(target, input);
    const errors = validateSync(instance, options);
    return errors.length === 0 ? instance : refuse(errors);
  };
}

function byZod(schema) {
  return (input) => {
    const { data, success, error } = schema.safeParse(input);
    return success ? data : refuse(error.issues);
  };
}

/** ajv only validates, so the reader returns the value itself. */
function byAjv(target) {
  const validate = new Ajv2020({ allErrors: true }).compile(ClassSchema.of(target).input);
  return (input) => (validate(input) ? input : refuse(validate.errors));
}

/** Returns a schema with the fields and rules of {@link declareEntry}. */
export function zodEntry() {
  return z.strictObject({ name: z.string().max(4096), size: z.int().min(0), hidden: z.boolean() });
}

function zodListing() {
  return z.strictObject({ path: z.string().max(4096), entries: z.array(zodEntry()).max(1000) });
}

function refuse(issues) {
  throw new TypeError(`the value was refused: ${JSON.stringify(issues)}`);
}
