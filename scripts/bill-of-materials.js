// Which packages run: their licences, and a list for programs that look for known vulnerabilities. Those that are part of
// dist/ are not named in package.json, so that audits of an installation do not see them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The packages that files of a bundle belong to, by name and version. */
export function packagesOf(root, inputs) {
  const inPackage = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
  const folders = inputs.map((file) => inPackage.exec(file)?.[0]).filter(Boolean);
  const found = [...new Set(folders)].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const { name, version, license } = manifest;
    return { folder, name, version, license };
  });
  // npm may install one version in several places.
  return both(found);
}

/** The packages that npm installs with the program, by the lock file: what they need included. */
export function installedPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(
      ([folder, { dev, devOptional, link }]) =>
        folder.includes('node_modules/') && !dev && !devOptional && !link,
    )
    .map(([folder, { version, license, optional }]) => {
      const name = folder.split('node_modules/').at(-1);
      return { folder, name, version, license, optional };
    });
}

/** The packages of both lists, each version once. */
export function both(...lists) {
  const once = new Map(lists.flat().map((one) => [`${one.name}@${one.version}`, one]));
  return [...once.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The texts of the licences, which ask to be passed on with every copy. */
export function licensesOf(root, packages) {
  const texts = packages.map(({ folder, name, version, license }) => {
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : '';
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `Packages whose code is part of this build, with their licences.\n\n${texts.join('\n\n')}`;
}

/** CycloneDX 1.6, without a time and a random number, so that the same sources give the same file. */
export function billOfMaterials(root, packages) {
  const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const component = (type, { name, version, license }, more) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    const licenses = license && { licenses: [{ expression: license }] };
    return { type, 'bom-ref': purl, name, version, ...licenses, purl, ...more };
  };
  const components = packages.map((one) => {
    const integrity = locked[one.folder.replace(/^.*?(?=node_modules\/)/, '')]?.integrity;
    const hash = integrity && Buffer.from(integrity.replace('sha512-', ''), 'base64');
    const hashes = hash && [{ alg: 'SHA-512', content: hash.toString('hex') }];
    // A library for another platform than this may be named, and not installed.
    return component('library', one, {
      ...(one.optional && { scope: 'optional' }),
      ...(hashes && { hashes }),
    });
  });
  const application = component('application', manifest);
  const dependsOn = components.map(({ purl }) => purl);
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: application },
    components,
    dependencies: [{ ref: application.purl, dependsOn }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}
