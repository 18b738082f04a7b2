export function publishedPackages(): readonly {
  readonly directory: string;
  readonly manifest: { readonly name: string };
}[];
