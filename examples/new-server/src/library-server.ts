import {
  Complete,
  Flag,
  Integer,
  McpServer,
  Prompt,
  type RequestContext,
  Resource,
  Text,
  Tool,
  ToolError,
} from '@org/mcp-decorators';

export class BookInput {
  @Text('Title of the book') title!: string;
}

export class LendInput extends BookInput {
  @Text('Name of the reader', { minLength: 1, maxLength: 100 }) reader!: string;
  @Integer('Number of days', { min: 1, max: 60 }) days = 14;
}

export class Loan {
  @Text('Title of the book') title!: string;
  @Text('Name of the reader') reader!: string;
  @Integer('Number of days') days!: number;
}

class Reservation {
  @Flag('Reserve the book for the reader') reserve = false;
}

const BOOK = 'library://books/{title}';

/** Descriptions by title. */
const BOOKS: ReadonlyMap<string, string> = new Map([
  ['Emma', 'A novel by Jane Austen'],
  ['Walden', 'An essay by Henry Thoreau'],
]);

/** Lends books. A book that is lent can be reserved, if the user agrees. */
@McpServer({ name: 'library', version: '1.0.0', instructions: 'Find and lend the books of the library.' })
export class LibraryServer {
  readonly #loans = new Map<string, Loan>();
  readonly #reservations = new Map<string, string>();

  @Tool({ description: 'Lend a book to a reader', output: Loan, annotations: { destructiveHint: false, openWorldHint: false } })
  async lendBook({ title, reader, days }: LendInput, context: RequestContext): Promise<Loan> {
    this.#describe(title);
    const loan = this.#loans.get(title);
    if (loan === undefined) {
      const lent = { title, reader, days };
      this.#loans.set(title, lent);
      return lent;
    }
    // The method runs again from its beginning with the answer, so it changes nothing before this line.
    const answer = await context.elicit('reserve', `${loan.reader} has ${title}. Reserve it for ${reader}?`, Reservation);
    if (answer.action === 'accept' && answer.content.reserve) this.#reservations.set(title, reader);
    throw new ToolError('CONFLICT', `${loan.reader} has "${title}"`, { hint: this.#nextStep(title, reader) });
  }

  @Tool({
    description: 'Return a book to the library',
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
  })
  returnBook({ title }: BookInput): string {
    this.#describe(title);
    this.#loans.delete(title);
    const next = this.#reservations.get(title);
    return next === undefined ? `${title} is available` : `${title} is reserved for ${next}`;
  }

  @Resource({ uriTemplate: BOOK, description: 'Description of a book', mimeType: 'text/plain' })
  book({ title }: BookInput): string {
    return this.#describe(title);
  }

  @Prompt({ description: 'Recommend a book to a reader' })
  recommend({ title }: BookInput): string {
    return `Write a recommendation of the book ${title}:\n\n${this.#describe(title)}`;
  }

  @Complete({ resource: BOOK, argument: 'title' })
  @Complete({ prompt: 'recommend', argument: 'title' })
  titles(): readonly string[] {
    return [...BOOKS.keys()];
  }

  #describe(title: string): string {
    const description = BOOKS.get(title);
    if (description === undefined) throw new ToolError('NOT_FOUND', `the library has no book "${title}"`);
    return description;
  }

  #nextStep(title: string, reader: string): string {
    return this.#reservations.get(title) === reader ? `it is reserved for ${reader}` : 'choose another book';
  }
}
