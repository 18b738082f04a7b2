/** Directory of the documents of the views, which the build writes. It is beside the directories of the sources and of each build. */
export const VIEWS: URL = new URL('../bundle/views/', import.meta.url);
