import { expect, test } from "vitest";

import { describeActivity, fileName, sortRuns, readRuns, type Run, formatSpan } from "../../src/lab/runs";

const RUN: Run = {
  run: "r1",
  session: "default",
  task: "Count.",
  state: "pending",
  step: 2,
  began: 5,
  since: 7.5,
  cell: "c1",
  client: "p1",
  widget: "w1",
  kernel: "k1",
};

test("a kernel's runs are read, and invalid entries are left out", () => {
  const { kernel: _, ...said } = RUN;
  const wrong = [null, 5, "run", [], {}, { ...said, state: "sleeping" }, { ...said, task: 5 }, { ...said, step: "2" }];
  const numbers = [Number.NaN, Number.POSITIVE_INFINITY, null].map((since) => ({ ...said, since }));
  expect(readRuns([said, ...wrong, ...numbers], "k1")).toEqual([RUN]);
  for (const none of [undefined, null, "runs", { length: 1 }]) expect(readRuns(none, "k1")).toEqual([]);
});

test("a kernel cannot report runs of another kernel", () => {
  expect(readRuns([{ ...RUN, kernel: "another" }], "k1")).toEqual([RUN]);
});

test("the number of runs in a message is limited", () => {
  expect(readRuns(new Array(5000).fill(RUN), "k1")).toHaveLength(200);
});

test("waiting runs come first, then the oldest", () => {
  const runs = [
    { ...RUN, run: "late", state: "running", began: 3 },
    { ...RUN, run: "early", state: "thinking", began: 1 },
    { ...RUN, run: "waits", began: 9 },
  ] as const;
  expect(sortRuns(runs).map(({ run }) => run)).toEqual(["waits", "early", "late"]);
});

test("the state of a run is described in words", () => {
  expect(describeActivity(RUN)).toBe("step 2 waits for you");
  expect(describeActivity({ ...RUN, state: "running" })).toBe("step 2 runs");
  expect(describeActivity({ ...RUN, state: "thinking" })).toBe("thinks");
  expect(describeActivity({ ...RUN, step: 0 })).toBe("waits for you");
});

test.each([
  [-3, "0 s"],
  [59.9, "59 s"],
  [60, "1 min"],
  [7199, "1 h"],
  [172_800, "2 d"],
])("%s seconds are %s", (seconds, text) => expect(formatSpan(seconds)).toBe(text));

test("the name of a notebook is its file name", () => {
  expect(fileName("a/b/c.ipynb")).toBe("c.ipynb");
  expect(fileName("c.ipynb")).toBe("c.ipynb");
});
