// Prints what the suite of http-tests/cache-tests found, as tables in Markdown: the required tests by
// group, then each that failed, with its reason. Tests for browsers only, those of what is optimal
// and those that only ask do not count.
//
// usage: node http_cache_table.mjs CHECKOUT RESULTS.json REQUIRED
import fs from 'node:fs'
import path from 'node:path'

const [checkout, file, required] = process.argv.slice(2)
const groups = (await import(path.resolve(checkout, 'tests/index.mjs'))).default
const results = JSON.parse(fs.readFileSync(file, 'utf8'))
const failed = []
let [passed, all] = [0, 0]
console.log('| group | passed | of |\n|---|--:|--:|')
for (const group of groups) {
  const tests = group.tests.filter(test => !test.browser_only && (test.kind ?? 'required') === 'required')
  const good = tests.filter(test => results[test.id] === true)
  if (tests.length > 0) console.log(`| ${group.name} | ${good.length} | ${tests.length} |`)
  passed += good.length
  all += tests.length
  for (const test of tests.filter(test => !good.includes(test))) {
    failed.push(`| \`${test.id}\` | ${(results[test.id] ?? ['', 'not run'])[1].split('\n')[0].slice(0, 90)} |`)
  }
}
console.log(`| all | ${passed} | ${all} |\n\n| failed | what the suite says |\n|---|---|\n${failed.join('\n')}`)
process.exit(passed >= Number(required) ? 0 : 1)
