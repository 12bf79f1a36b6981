import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLink } from '../../web/portal/links/make-link.ts';

const storeUrl = 'https://shop.example/';
const link = (page: string, campaign = '', referralUrl = 'https://partners.example/r/MAYA') =>
  makeLink({ referralUrl, code: 'MAYA', storeUrl, page, campaign });

test('without a page the link leads to the front page', () => {
  assert.deepEqual(link(' '), { url: 'https://partners.example/r/MAYA', error: false });
});

test('a page may be typed in full, without its protocol, or as a path', () => {
  for (const page of [
    'https://shop.example/shoes?a=1#b',
    'shop.example/shoes?a=1#b',
    '/shoes?a=1#b',
  ]) {
    assert.equal(link(page).url, 'https://partners.example/r/MAYA?to=%2Fshoes%3Fa%3D1%23b', page);
  }
});

test('a page of another site is refused', () => {
  for (const page of [
    'https://other.example/',
    '//other.example/x',
    'other.example',
    'javascript:x',
  ]) {
    assert.deepEqual(link(page), { url: 'https://partners.example/r/MAYA', error: true }, page);
  }
});

test('a store that reads the code itself gets it in its own parameter', () => {
  const direct = 'https://shop.example/?friend=MAYA';
  assert.equal(link('', '', direct).url, direct);
  assert.equal(link('/shoes', '', direct).url, 'https://shop.example/shoes?friend=MAYA');
});

test('a campaign is part of the link', () => {
  assert.equal(link('', ' spring ').url, 'https://partners.example/r/MAYA?campaign=spring');
});
