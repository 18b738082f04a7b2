import type { FormSchema } from '@org/mcp-decorators';
import { IsBoolean, IsIn, IsInt, IsNumber, IsString } from 'class-validator';

export class Name {
  @IsString() name!: string;
}

export class Colour {
  @IsString() color!: string;
}

export class Confirmation {
  @IsBoolean() ok!: boolean;
}

export class Answer {
  @IsString() response!: string;
}

export class PromptContext {
  @IsString() context!: string;
}

/** A form with one field of each type that may have a default. */
export class Defaults {
  @IsString() name = 'John Doe';
  @IsInt() age = 30;
  @IsNumber() score = 95.5;
  @IsIn(['active', 'inactive', 'pending']) status = 'active';
  @IsBoolean() verified = true;
}

const OPTIONS = ['option1', 'option2', 'option3'];

const TITLED = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
  { const: 'value3', title: 'Third Option' },
];

/**
 * A form with each kind of choice. `enumNames` is from revisions in which choices had no other titles, and a class cannot declare
 * it.
 */
export const CHOICES: FormSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: OPTIONS },
    titledSingle: { type: 'string', oneOf: TITLED },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
    titledMulti: { type: 'array', items: { anyOf: TITLED } },
  },
};
