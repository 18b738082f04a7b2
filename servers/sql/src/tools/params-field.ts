import { Field } from '@org/mcp-decorators';
import { IsOptional } from 'class-validator/cjs/decorator/common/IsOptional.js';
import { IsArray } from 'class-validator/cjs/decorator/typechecker/IsArray.js';

/** Declares the optional parameter with the values of the placeholders of a statement. */
export function ParamsField(description: string): (target: object, property: string) => void {
  const decorators = [Field(description, { type: 'any' }), IsOptional(), IsArray()];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** Converts values of a caller to the texts that a database parses; `null` is NULL, and objects and arrays are JSON. */
export function toTexts(values: readonly unknown[] = []): readonly (string | null)[] {
  return values.map((value) => (value === null || typeof value === 'string' ? value : JSON.stringify(value)));
}
