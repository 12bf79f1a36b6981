import { writeFileSync } from 'node:fs';
import { loadEdition } from '../src/edition-pro.ts';
import { Registry } from '../src/kernel/declare/registry.ts';
import { SettingValues } from '../src/kernel/declare/setting.ts';
import { ACCESS_LIST, accessListText } from '../test/support/access-list.ts';

/** Writes the list of routes with their access and scope. Review its diff before you commit it. */
const registry = new Registry(await loadEdition('pro'), new SettingValues());
writeFileSync(ACCESS_LIST, accessListText(registry.allOperations()));
