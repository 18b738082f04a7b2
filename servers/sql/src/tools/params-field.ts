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

/** Converts the values of placeholders to the texts that a database parses; `null` is NULL, and objects and arrays are JSON. */
export function toTexts(params: readonly unknown[] = []): readonly (string | null)[] {
  return params.map((param) => (param === null || typeof param === 'string' ? param : JSON.stringify(param)));
}
