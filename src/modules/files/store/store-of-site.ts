import { configOf } from '../../../kernel/declare/config.ts';
import { perSite, type Site } from '../../../kernel/declare/site.ts';
import { filesConfig } from '../config.ts';
import type { FileStore } from './file-store.ts';
import { folderStore } from './folder-store.ts';

/** The store of the site. The client of a bucket is loaded when a site has one. */
export const fileStoreOf: (site: Site) => Promise<FileStore> = perSite(async (site) => {
  const { filesUrl } = configOf(site, filesConfig);
  if (filesUrl === '') return folderStore(site.filesFolder);
  const { bucketStore } = await import('./bucket-store.ts');
  return bucketStore(filesUrl);
});

export const isInBucket = (site: Site): boolean => configOf(site, filesConfig).filesUrl !== '';
