/**
 * Directory of the documents of the views, which the build writes. The relative URL is the same for the sources and for each
 * build.
 */
export const VIEWS: URL = new URL('../bundle/views/', import.meta.url);
