var fr=Object.defineProperty;var Mn=(e,n)=>{for(var t in n)fr(e,t,{get:n[t],enumerable:!0})};function c(e,n,...t){let r=document.createElement(e);return n!==""&&(r.className=n.split(" ").map(i=>`smolcell-${i}`).join(" ")),r.append(...t.filter(i=>i!==null&&
i!==!1)),r}function F(e,n,t,r=""){let i=c("button",`button ${n}`,e);if(i.type="button",r!==""){let o=c("kbd","key",r);o.setAttribute("aria-hidden","true"),i.append(
" ",o),i.setAttribute("aria-keyshortcuts",r)}return i.addEventListener("click",t),i}function L(e,...n){return c("details","fold",c("summary","summary",e),...n)}
var _=class{constructor(n){this.el=n}el;before=null;draw(n,t){if(this.before?.every((i,o)=>i===n[o])&&this.before.length===n.length)return;this.before=n;let r=t().
filter(i=>i!==null&&i!==!1);this.el.replaceChildren(...r),this.el.hidden=r.length===0}},j=class{constructor(n){this.el=n;n.addEventListener("scroll",()=>this.atEnd=
n.scrollTop+n.clientHeight>=n.scrollHeight-4)}el;atEnd=!0;asked=!1;grown(){!this.atEnd||this.asked||typeof requestAnimationFrame>"u"||(this.asked=!0,requestAnimationFrame(
()=>{this.asked=!1,this.atEnd&&(this.el.scrollTop=this.el.scrollHeight)}))}},he=class{constructor(n){this.el=n;n.hidden=!0,this.following=new j(n)}el;shown="";following;set(n){
n!==this.shown&&(n.startsWith(this.shown)?this.el.append(n.slice(this.shown.length)):this.el.textContent=n,this.shown=n,this.el.hidden=n==="",this.following.grown())}};var pr=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{1d159}\u{e0100}-\u{e01ef}]/u,
Rn=new RegExp(pr.source,"gu"),mr=/\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?$/u;function Ue(e){let n=[],t=0;for(let r of e.matchAll(Rn))r.index>t&&n.push({
text:e.slice(t,r.index),hidden:!1}),n.push({text:fe(r[0]),hidden:!0}),t=r.index+r[0].length;return t<e.length&&n.push({text:e.slice(t),hidden:!1}),n}var Ve="\\t";
function fe(e){return e==="	"?Ve:`\\u{${(e.codePointAt(0)??0).toString(16)}}`}function g(e){let n=e.replaceAll(`\r
`,`
`);return n.replace(Rn,(t,r)=>gr(t,n,r)?t:fe(t))}function gr(e,n,t){return e===`
`||e==="	"||e==="\xA0"?!0:e!=="\u200D"&&e!=="\uFE0F"?!1:mr.test(n.slice(Math.max(0,t-5),t).replace(/\ufe0f$/u,""))}function I(e){return e>0&&e<.05?"< 0.1 s":e<10?`${e.toFixed(1)} s`:e<60?`${Math.round(e)} s`:`${Math.floor(e/60)} min ${Math.round(e)%60} s`}function T(e,n){return`${e.
toLocaleString("en")} ${n}${e===1?"":"s"}`}function V(e){return e.input_tokens+e.output_tokens===0?"":`${e.input_tokens.toLocaleString("en")} + ${e.output_tokens.
toLocaleString("en")} tokens`}function W(e){return e.cost===null?"":`$${e.cost<.01?e.cost.toFixed(4):e.cost.toFixed(2)}`}function kr(e){if(e<1e3)return T(e,"byt\
e");let n=Math.min(3,Math.floor(Math.log10(e)/3));return`${(e/1e3**n).toPrecision(3)} ${["","kB","MB","GB"][n]}`}function pe(e){return g(e.map(({name:n,size:t})=>`${n}\
 (${kr(t)})`).join(", "))}function B(...e){return e.filter(n=>n!=="").join(" \xB7 ")}var br={success:"The run is done.",max_steps_error:"The run stopped at its step limit.",refused:"The run ended without approval.",stopped:"The run was stopped.",
error:"The run failed."},me=class{el=c("div","announcer");told=new Set;heard=new WeakSet;constructor(){this.el.setAttribute("aria-live","polite"),this.el.setAttribute(
"role","status")}tell(n,t,r=""){let i=n.steps.filter(u=>!this.heard.has(u));for(let u of i)this.heard.add(u);let s=[...i.flatMap(Cr),...t===void 0?[]:[vr(t,r)],
...yr(n)].filter(([u])=>!this.told.has(u));for(let[u]of s)this.told.add(u);let l=s.at(-1);l!==void 0&&(this.el.textContent=l[1])}};function Cr(e){let{observation:n}=e;
if(n===null||e.call>0)return[];let t=n.error===null?"is done":`ended with an error: ${g(n.error.type)}`;return[[`done ${e.n}`,`Step ${e.n} ${t}.`]]}function vr(e,n){
let t=e.findings.filter(i=>i.risk!=="none").length,r=e.kind==="code"?`${T(e.code.split(`
`).length,"line")} of Python`:`a ${e.kind}`;return[`asks ${n} ${e.fingerprint} ${e.n}`,`Step ${e.n} waits for your decision: ${r}${t>0?`, ${T(t,"warning")}`:""}\
.`]}function yr({ended:e}){return e===null?[]:[["ended",br[e.state]??"The run is over."]]}function We(e,n){return e!==null&&n-e>=500}function Ke(e,n){return[e.drawn,e.pageVisible,e.windowFocused].every(t=>We(t,n))}function Ln(e,n){return Ke(e,n)&&We(
e.inView,n)&&We(e.cardFocused,n)}var Er={a:"approve",e:"edit",r:"refuse",s:"stop"};function In(e){return Pn(e)||e.shiftKey||e.repeat||e.isComposing?null:Er[e.key.
toLowerCase()]??null}function $n(e){return!Pn(e)&&(e.key.length===1||e.key==="Enter")}function Pn(e){return e.ctrlKey||e.altKey||e.metaKey}function K(e){return e instanceof
Element&&e.closest("input, textarea, select, [contenteditable]")!==null}var Dr=[".jp-Cell",".jp-Notebook"];function On(e){let{activeElement:n,body:t}=e.ownerDocument,r=e.closest(".jp-Cell");return n===null||n===t||n===r?!0:n.contains(
e)&&r?.classList.contains("jp-mod-active")===!0}var ge=class{constructor(n,t){this.card=n;n.addEventListener("pointerdown",()=>this.clicked(),{capture:!0,signal:t}),
n.addEventListener("focusin",r=>this.entered(r.relatedTarget),{signal:t})}card;from=null;keep(){this.active?.matches("button")&&this.card.contains(this.active)&&
this.card.focus({preventScroll:!0})}giveBack(){if(this.active===this.card){for(let n of[this.from,...Dr.map(t=>this.card.closest(t))])if(n?.isConnected&&n.focus(
{preventScroll:!0}),this.active!==this.card)return}}get active(){let n=this.card.getRootNode();return n instanceof Document||n instanceof ShadowRoot?n.activeElement:
null}clicked(){let{active:n}=this;n!==null&&n!==document.body&&n.contains(this.card)&&n!==this.card?this.from=null:this.entered(n)}entered(n){n instanceof HTMLElement&&
!n.contains(this.card)&&!this.card.contains(n)&&(this.from=n)}};var wr="smolcell-insert-cells",xr=4e3,ke=class{constructor(n){this.requested=n;this.ask.title="The approved steps as ordinary cells below, which give the same a\
nswer",this.said.setAttribute("role","status"),this.el.append(this.ask,this.said),this.el.hidden=!0}requested;el=c("div","export");ask=F("Write steps as cells",
"quiet",()=>this.request());said=c("div","exported");id="";update(n){let t=n.state.steps.some(r=>r.observation!==null||r.runs.length>0);this.el.hidden=n.state.ended===
null||!t,n.cells!==null&&n.cells.id===this.id&&this.take(n.cells)}request(){this.ask.disabled=!0,this.said.replaceChildren();let n=this.id=this.requested();setTimeout(
()=>this.id===n&&this.tell("No kernel answered: the run's kernel is gone, or busy. Its session can be exported with: %agent export"),xr)}take({cells:n,notes:t,why:r}){
if(r!=="")return this.tell(`Not exported: ${r}`);let i=!this.el.dispatchEvent(new CustomEvent(wr,{bubbles:!0,cancelable:!0,composed:!0,detail:n}));this.tell(i?`${T(
n.length,"cell")} below.`:"",...t.map(o=>c("p","note",g(o)))),i||this.said.append(...Ar(n.join(`

`)))}tell(n,...t){this.id="",this.ask.disabled=!1,this.said.replaceChildren(...n===""?[]:[c("p","quiet",g(n))],...t)}};function Ar(e){let n=c("pre","about",g(e));
n.tabIndex=0,n.setAttribute("role","group"),n.setAttribute("aria-label","The steps as ordinary code");let t=F("Copy","quiet",()=>{navigator.clipboard?.writeText(
e).then(()=>t.textContent="Copied")});return[n,t]}var G="application/vnd.smolcell.table+json",Fr=1e6,Sr=200,Bn=100,_r=1e3;function Ce(e){let n=Mr(e);if(n===null)return null;let[t,r]=n.gap,i=c("tr","",c("td",""),
...be(n.columns.map((a,h)=>Hn(a,"col",n.numeric[h])),r,()=>c("th","","\u2026"))),o=n.rows.map((a,h)=>Tr(n,n.index[h]??"",a)),s=()=>c("tr","gap",c("th","","\u2026"),
...be(n.columns.map(()=>c("td","","\u2026")),r,()=>c("td","","\u2026"))),l=c("table","table",c("thead","",i),c("tbody","",...be(o,t,s))),u=c("div","table-box",l);
return u.tabIndex=0,u.setAttribute("role","group"),u.setAttribute("aria-label","Table"),c("div","table-part",u,c("p","quiet",`${T(n.shape[0],"row")} \xD7 ${T(n.
shape[1],"column")}`))}function Tr(e,n,t){let r=t.map((i,o)=>c("td",e.numeric[o]===!0?"numeric":"",g(i)));return c("tr","",Hn(n,"row",!1),...be(r,e.gap[1],()=>c(
"td","","\u2026")))}function Hn(e,n,t=!1){let r=c("th",t?"numeric":"",g(e));return r.scope=n,r}function be(e,n,t){return n>0&&n<e.length?[...e.slice(0,n),t(),...e.
slice(n)]:e}function Mr(e){if(e.length>Fr)return null;let n;try{n=JSON.parse(e)}catch{return null}if(typeof n!="object"||n===null)return null;let{columns:t,index:r,
rows:i,numeric:o,shape:s,gap:l}=n;return!Ge(t,Bn)||!Ge(r,Sr)||!Array.isArray(i)||i.length!==r.length||!i.every(u=>Ge(u,Bn)&&u.length===t.length)||!Array.isArray(
o)||o.length!==t.length||!o.every(u=>typeof u=="boolean")||!Nn(s)||!Nn(l)?null:{columns:t,index:r,rows:i,numeric:o,shape:s,gap:l}}function Ge(e,n){return Array.
isArray(e)&&e.length<=n&&e.every(t=>typeof t=="string"&&t.length<=_r)}function Nn(e){return Array.isArray(e)&&e.length===2&&e.every(n=>Number.isSafeInteger(n)&&
n>=0)}var Rr=160;function jn(e){let n=[e.model,e.sandbox,e.approve&&`approve: ${e.approve}`,e.session&&`session: ${e.session}`,e.resumes&&"resumed"];return[c("ul","fa\
cts-line",...n.filter(t=>t!=="").map(t=>c("li","chip",g(t)))),e.boundary!==null&&Ir(e.boundary),e.variables.length>0&&Pr(e.variables),e.files.length>0&&c("p","q\
uiet",`Files copied in: ${pe(e.files)}`),e.images>0&&c("p","quiet",`With ${T(e.images,"image")}.`)]}function zn(e){let n=g(e.task),t=c("div","task clamped",n),r=F(
"Show the whole task","more",()=>i(!t.classList.toggle("smolcell-clamped"))),i=o=>{r.textContent=o?"Show less of the task":"Show the whole task",r.setAttribute(
"aria-expanded",String(o))};return i(!1),r.hidden=n.length<=Rr&&n.trimEnd().split(`
`).length<=2,typeof ResizeObserver<"u"&&new ResizeObserver(()=>Lr(t,r)).observe(t),[t,r]}function Lr(e,n){e.clientHeight===0||!e.classList.contains("smolcell-cl\
amped")||(n.hidden=e.scrollHeight<=e.clientHeight+1)}function Ir(e){let n=c("span",e.isolated?"badge safe":"badge open",e.isolated?"isolated":"walls missing"),t=Object.
entries(e.limits).map(([i,o])=>`${i} ${String(o)}`),r=L(c("span","","Code runs in ",g(e.where)," ",n),e.walls.length>0&&c("ul","walls",...e.walls.map($r)),Ze("L\
imits",t),Ze("Imports allowed",e.imports),Ze("Hosts open",e.hosts.length>0?e.hosts:["none"]));return r.classList.add("smolcell-boundary"),r}function $r({name:e,
stands:n,detail:t}){let r=c("span",n?"stands":"missing",n?"stands":"missing");return c("li","wall",r," ",c("strong","",g(e)),t===""?null:`: ${g(t)}`)}function Ze(e,n){
return n.length>0&&c("p","quiet",`${e}: ${g(n.join(", "))}`)}function Pr(e){let n=e.map(({name:r,type:i})=>`${r} (${i})`).join(", "),t=e.map(({name:r,type:i,text:o})=>c(
"li","",c("code","",g(r)),` ${g(i)}`,c("pre","about",g(o))));return L(`Goes in as a copy: ${g(n)}`,c("ul","variables",...t))}var Ye={success:"Done",max_steps_error:"\
Stopped at the step limit",refused:"Ended without approval",stopped:"Stopped",error:"Failed"};function qn(e){let n=e.ended;if(n===null)return[];let t=e.steps.filter(
o=>o.observation!==null&&o.sha256!==""),r=Or(e),i=B(T(n.steps,"step"),I(n.duration),V(n.usage),W(n.usage));return[c("div",`receipt ${n.state}`,c("strong","",Ye[n.
state]??n.state),c("span","figures",i)),n.error!==""&&c("p","fault-title",g(n.error)),r!==""&&c("p","quiet",`Tools called: ${g(r)}`),t.length>0&&L(`What ran: ${T(
t.length,"step")}`,c("ul","hashes",...t.map(o=>c("li","",`Step ${o.n}${o.call===0?"":`, call ${o.call}`}, allowed by ${g(o.by)}, SHA-256 `,c("code","",g(o.sha256))))))]}
function Or(e){let n=new Map;for(let{name:r,times:i,duration:o,error:s}of e.steps.flatMap(l=>l.tools)){let l=n.get(r)??{times:0,duration:0,failed:!1};n.set(r,{times:l.
times+i,duration:l.duration+o,failed:l.failed||s!==""})}let t=([r,{times:i,duration:o,failed:s}])=>`${r} ${i}\xD7, ${I(o)}${s?", with errors":""}`;return[...n].
map(t).join("; ")}function ve(e){if(e.answer===null)return[];let n=g(e.answer.text);return[c("h4","answer-title","Answer"),Br(e,e.answer.text)??(zr(n)?Nr(n):c("\
div","answer-text",n))]}function Br(e,n){let r=(e.steps.at(-1)?.observation?.outputs??[]).find(({data:i})=>i["text/plain"]===n)?.data[G];return r===void 0?null:
Ce(r)}function Nr(e){let n=c("pre","answer-table",e);return n.tabIndex=0,n.setAttribute("role","group"),n.setAttribute("aria-label","Answer"),n}var Hr=/^\s*([-*+\u2022]|\d+[.)])\s/,
jr=/(^|[^\s.!?:]) {2,}\S/;function zr(e){let n=e.split(`
`).filter(t=>Un(t)!=="");return n.length>1&&3*n.filter(qr).length>=n.length}function qr(e){let n=Un(e);return n.length>1&&n.startsWith("|")&&n.endsWith("|")||!Hr.
test(e)&&jr.test(e)}function Un(e){let[n,t]=[0,e.length];for(;n<t&&e[n]===" ";)n++;for(;t>n&&e[t-1]===" ";)t--;return e.slice(n,t)}var Xe=Number.NEGATIVE_INFINITY,ye=class{constructor(n,t,r,i=()=>performance.now()){this.root=n;this.changed=t;this.now=i;this.sight.pageVisible=document.visibilityState===
"hidden"?null:Xe;let o=window.top===window;this.sight.windowFocused=!o||document.hasFocus()?Xe:null,o&&this.watchWindow(r),document.addEventListener("visibility\
change",()=>this.set("pageVisible",document.visibilityState!=="hidden"),{signal:r}),n.addEventListener("focusin",s=>this.focused(s),{signal:r}),n.addEventListener(
"focusout",s=>this.left(s),{signal:r}),this.observer=typeof IntersectionObserver>"u"?null:new IntersectionObserver(s=>this.seen(s)),r.addEventListener("abort",()=>this.
observer?.disconnect())}root;changed;now;sight={drawn:null,pageVisible:null,windowFocused:null,inView:null,cardFocused:null};observer;watched=null;watch(n){this.
observer?.disconnect(),this.watched=n,this.sight.inView=this.observer===null?Xe:null,this.set("drawn",n!==null,!0),n!==null&&this.observer?.observe(n)}clickCounts(){
return Ke(this.sight,this.now())}keyCounts(){return Ln(this.sight,this.now())}typed(){this.sight.cardFocused!==null&&this.set("cardFocused",!0,!0)}watchWindow(n){
window.addEventListener("focus",()=>this.set("windowFocused",!0),{signal:n}),window.addEventListener("blur",()=>this.set("windowFocused",!1),{signal:n})}focused(n){
let t=n.relatedTarget;t instanceof Node&&this.root.contains(t)&&!K(t)||this.set("cardFocused",!0,!0)}left(n){let t=n.relatedTarget;(!(t instanceof Node)||!this.
root.contains(t))&&this.set("cardFocused",!1)}seen(n){let t=n.findLast(r=>r.target===this.watched);t!==void 0&&this.set("inView",t.isIntersecting)}set(n,t,r=!1){
let i=this.sight[n];t?(i===null||r)&&(this.sight[n]=this.now()):this.sight[n]=null,this.changed(),t&&setTimeout(this.changed,505)}};var Ur=5e3,Vr=64,Wr=4e3,en={colour:null,back:null,bold:!1,dim:!1,italic:!1,underline:!1,inverse:!1},Kr=/\x1b\[([0-9;:]*)m/g,Gr=/\x1b(\[[0-9;:]*)?$/,Z=class{constructor(n){
this.el=n;n.hidden=!0,this.following=new j(n)}el;shown="";done=0;look=en;tail=[];looks=0;following;set(n){if(n===this.shown)return;n.startsWith(this.shown.slice(
0,this.done))||this.clear();for(let l of this.tail)l.parentNode?.removeChild(l);let t=n.lastIndexOf(`
`)+1,i=(t>this.done?n.slice(this.done,t-1).split(`
`):[]).flatMap(l=>[...this.line(l),{text:`
`,classes:""}]);this.append(this.nodes(i)),[this.shown,this.done]=[n,Math.max(t,this.done)];let[o,s]=[this.look,this.looks];this.tail=this.nodes(this.line(n.slice(
this.done).replace(Gr,""))),[this.look,this.looks]=[o,s],this.el.append(...this.tail),this.el.hidden=n==="",this.following.grown()}append(n){let[t,r]=[this.el.lastChild,
n[0]];t instanceof Text&&r instanceof Text&&t.length<Wr&&(t.appendData(r.data),n.shift()),this.el.append(...n)}clear(){this.el.replaceChildren(),[this.done,this.
look,this.tail,this.looks]=[0,en,[],0]}line(n){let t=[];for(let r of n.split("\r")){let i=this.pieces(r);i.length>0&&(t=i)}return t}pieces(n){let t=[],r=0,i=o=>{
o>r&&t.push({text:g(n.slice(r,o)),classes:Zr(this.look)})};for(let o of n.matchAll(Kr))i(o.index),r=o.index+o[0].length,this.look=Xr(this.look,o[1]??"");return i(
n.length),t}nodes(n){let t=[],r="";for(let{text:i,classes:o}of n){if(o===""||i===`
`||this.looks>=Ur){r+=i;continue}r!==""&&t.push(document.createTextNode(r)),r="",this.looks+=1,t.push(c("span",o,i))}return r!==""&&t.push(document.createTextNode(
r)),t}};function Zr({colour:e,back:n,bold:t,dim:r,italic:i,underline:o,inverse:s}){let[l,u]=s?[n,e??"text"]:[e,n];return[u!==null?`on-${u}`:l!==null?`ansi-${l}`:
"",t&&"ansi-bold",r&&u===null&&"ansi-dim",i&&"ansi-italic",o&&"ansi-underline"].filter(Boolean).join(" ")}var Yr={0:en,1:{bold:!0},2:{dim:!0},3:{italic:!0},4:{underline:!0},
7:{inverse:!0},21:{underline:!0},22:{bold:!1,dim:!1},23:{italic:!1},24:{underline:!1},27:{inverse:!1},39:{colour:null},49:{back:null}};function Xr(e,n){let t=n.
split(/[;:]/,Vr).map(Number),r=e;for(let i=0;i<t.length;i++){let o=t[i];if(o===38||o===48){let[s,l]=Jr(t.slice(i+1));r={...r,[o===38?"colour":"back"]:s},i+=l}else
r={...r,...Yr[o],...Qr(o)}}return r}function Qr(e){let[n,t]=[Math.floor(e/10),e%10];return t>7?{}:n===3||n===9?{colour:t}:n===4||n===10?{back:t}:{}}function Jr(e){
let[n=0,t=0,r=0,i=0]=e;if(n===2)return[Je(t,r,i),4];if(n!==5)return[null,e.length];if(t<16)return[t%8,2];if(t>=232)return[Je(t,t,t),2];let o=s=>Math.floor((t-16)/
s)%6;return[Je(o(36)*51,o(6)*51,o(1)*51),2]}function Je(e,n,t){let r=[e,n,t],[i,o]=[Math.min(...r),Math.max(...r)];return o-i<48?o<96?0:7:r.reduce((s,l,u)=>s+(l>
(i+o)/2?1<<u:0),0)}var ei=new Set("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal \
not or pass raise return try while with yield match case".split(" ")),ni=new Set("abs all any bool bytes dict enumerate filter float format frozenset getattr ha\
sattr int isinstance iter len list map max min next object open print range repr reversed round set setattr sorted str sum super tuple type zip eval exec compil\
e final_answer".split(" ")),ti=new RegExp([/(?<comment>#[^\r\n]*)/,/(?<string>[rRbBuUfFtT]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\r\n])*"?|'(?:\\[\s\S]|[^'\\\r\n])*'?))/,
/(?<number>(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?[jJ]?))/,/(?<decorator>@[\p{L}_][\p{L}\p{N}_.]*)/u,/(?<word>[\p{L}_][\p{L}\p{N}_]*)/u,/(?<plain>[\s\S])/].
map(e=>e.source).join("|"),"gu"),ri=1e5;function ii(e){if(e.length>ri)return[{kind:"plain",text:e}];let n=[],t="";for(let r of e.matchAll(ti)){let i=t===".";t=r[0];
for(let o of oi(r))ui(n,i&&o.kind==="builtin"?{...o,kind:"name"}:o)}return n}function oi(e){let n=e[0],t=e.groups??{};if(t.string!==void 0)return/^[^"']*[fFtT]/.
test(n)?li(n):[{kind:"string",text:n}];if(t.word!==void 0)return[{kind:si(n),text:n}];for(let r of["comment","number","decorator"])if(t[r]!==void 0)return[{kind:r,
text:n}];return[{kind:"plain",text:n}]}function si(e){return ei.has(e)?"keyword":ni.has(e)?"builtin":"name"}function li(e){return e.split(/(\{\{|\}\}|\{[^{}]*\})/).
filter(n=>n!=="").map(n=>({kind:/^\{[^{]/.test(n)?"expression":"string",text:n}))}function ui(e,n){let t=e.at(-1);t!==void 0&&t.kind===n.kind?t.text+=n.text:e.push(
n)}var ai=/\n|(?<=\r)(?!\n)/;function nn(e){let n=[[]],t="";for(let{kind:r,text:i}of ii(e))t.endsWith("\r")&&!i.startsWith(`
`)&&n.push([]),t=i,i.split(ai).forEach((o,s)=>{s>0&&n.push([]),o!==""&&n.at(-1)?.push({kind:r,text:o})});return n}var Ee={none:0,low:1,high:2};function De(e,n,t=[],r=0){let i=n==="code"?nn(e):e.split(`
`).map(s=>[{kind:"plain",text:s}]),o=c("div","code");return o.dataset.kind=n,o.setAttribute("role","group"),o.setAttribute("aria-label",`${i.length} ${i.length===
1?"line":"lines"} of ${n}`),o.style.setProperty("--smolcell-digits",String(String(i.length).length)),i.forEach((s,l)=>o.append(ci(s,l+1,fi(t,l+1),l+1===r))),o}function ci(e,n,t,r){
let i=(t==="none"?"":` ${t}`)+(r?" error-line":""),o=c("span","number");o.dataset.n=String(n);let s=c("code","source");for(let l of e)s.append(...Kn(l));return c(
"div",`line${i}`,o,s)}function Wn(e){return c("code","source",...(nn(e)[0]??[]).flatMap(Kn))}function Kn(e){return Ue(e.text).flatMap(n=>n.hidden?[Gn(n.text)]:e.
kind==="plain"||e.kind==="name"?Vn(n.text):[c("span",e.kind==="number"?"number-literal":e.kind,...di.has(e.kind)?[n.text]:Vn(n.text))])}var di=new Set(["string",
"comment"]);function Vn(e){return e.split(/([^\x00-\x7f]+)/).flatMap((n,t)=>n===""?[]:[t%2===0?document.createTextNode(n):hi(n)])}function hi(e){let n=c("span",
"foreign-char",e);return n.title=`letters beyond ASCII: ${[...e].map(fe).join(" ")}`,n}function Gn(e){let n=c("span","hidden-char",e);return n.title=e===Ve?"a t\
ab":"a character that cannot be seen",n}function fi(e,n){return e.filter(t=>t.line===n).reduce((t,{risk:r})=>Ee[r]>Ee[t]?r:t,"none")}function rn(e){if(e.length===
0)return null;let n=[...e].sort((o,s)=>Ee[s.risk]-Ee[o.risk]||o.line-s.line),t=n.filter(o=>o.risk!=="none"),r=n.filter(o=>o.risk==="none"),i=c("ul","findings",...t.
map(pi),r.length>0&&c("li","facts",...gi(r)));return i.setAttribute("aria-label","What was found in the code"),i}function pi(e){let n=c("span","mark",e.risk==="\
high"?"Warning":"Note");return c("li",`finding ${e.risk}`,n,` ${e.kind}: `,tn(e.text),ki(e))}var mi={import:"imports",name:"writes",file:"files",network:"hosts",
tool:"calls"};function gi(e){return[...new Set(e.map(t=>t.kind))].map(t=>{let r=[...new Set(e.filter(i=>i.kind===t).map(i=>i.text))];return c("span","fact",`${mi[t]??
t} `,...r.flatMap((i,o)=>o>0?[", ",tn(i)]:[tn(i)]))})}function tn(e){return c("code","",...Ue(e).map(n=>n.hidden?Gn(n.text):n.text))}function ki(e){return e.line>
0?` (line ${e.line})`:""}var on="    ";function Zn(e){let n=we("editor",e);n.rows=Math.min(Math.max(e.split(`
`).length+1,4),30),n.setAttribute("aria-label","Edit the code before it runs. Escape, then Tab, leaves the editor.");let t=!1;return n.addEventListener("keydown",
r=>{r.isComposing||(r.key==="Tab"&&!t&&!r.ctrlKey&&!r.altKey&&!r.metaKey?(r.preventDefault(),r.shiftKey?vi(n):Ci(n)):r.key==="Enter"&&!r.ctrlKey&&!r.metaKey&&(r.
preventDefault(),sn(n,`
${bi(n)}`)),t=r.key==="Escape"||t&&r.key==="Shift")}),n}function we(e,n=""){let t=c("textarea",e);return t.value=n,t.spellcheck=!1,t.setAttribute("autocapitaliz\
e","off"),t.setAttribute("autocomplete","off"),t.dataset.lmSuppressShortcuts="true",t}function Yn(e){return e.value.lastIndexOf(`
`,e.selectionStart-1)+1}function bi(e){let n=e.value.slice(Yn(e),e.selectionStart),t=/^[ \t]*/.exec(n)?.[0]??"";return/:\s*(#.*)?$/.test(n)?t+on:t}function Ci(e){
e.selectionStart===e.selectionEnd?sn(e,on):Xn(e,n=>n===""?n:on+n)}function vi(e){Xn(e,n=>n.replace(/^( {1,4}|\t)/,""))}function Xn(e,n){let t=Yn(e),r=e.value.indexOf(
`
`,e.selectionEnd),i=r<0?e.value.length:r,o=e.value.slice(t,i).split(`
`).map(n).join(`
`),s=e.selectionStart===e.selectionEnd,l=Math.max(t,e.selectionStart+o.length-(i-t));e.setSelectionRange(t,i),sn(e,o),e.setSelectionRange(s?l:t,s?l:t+o.length)}
function sn(e,n){n!==""&&typeof document.execCommand=="function"&&document.execCommand("insertText",!1,n)||e.setRangeText(n,e.selectionStart,e.selectionEnd,"end")}var yi=Array.from({length:21},(e,n)=>n/20),Ei=.94,xe=class{constructor(n,t){this.lines=n;this.changed=t;this.unseen=new Set(n),this.observer=typeof IntersectionObserver>
"u"?null:new IntersectionObserver(r=>this.see(r),{threshold:yi});for(let r of n)this.observer?.observe(r)}lines;changed;unseen;parts=new Map;observer;get unread(){
return this.lines.flatMap((n,t)=>this.unseen.has(n)?[t+1]:[])}show(){this.lines.find(n=>this.unseen.has(n))?.scrollIntoView({block:"start"})}close(){this.observer?.
disconnect()}see(n){let t=this.unseen.size;for(let{target:r,isIntersecting:i,boundingClientRect:o,intersectionRect:s}of n){if(!i||o.height===0)continue;let l=Di(
this.parts.get(r),[(s.top-o.top)/o.height,(s.bottom-o.top)/o.height]);this.parts.set(r,l),!(l[1]-l[0]<Ei)&&(this.unseen.delete(r),this.observer?.unobserve(r))}this.
unseen.size===0&&this.close(),this.unseen.size<t&&this.changed()}};function Di(e,n){return e===void 0?n:n[0]<=e[1]&&e[0]<=n[1]?[Math.min(e[0],n[0]),Math.max(e[1],
n[1])]:n[1]-n[0]>e[1]-e[0]?n:e}var Qn=4;function Jn(e,n){if(e.length===0)return"";if(e.length===n)return n===1?"The code has not been whole on your screen.":`No\
ne of the ${n} lines has been whole on your screen.`;let t=wi(e),r=t.slice(0,Qn).map(([s,l])=>s===l?`${s}`:`${s}\u2013${l}`),i=t.length>Qn?" and others":"",o=e.
length===1;return`${o?"Line":"Lines"} ${r.join(", ")}${i} of ${n} ${o?"has":"have"} not been on your screen.`}function wi(e){let n=[];for(let t of e){let r=n.at(
-1);r!==void 0&&r[1]===t-1?r[1]=t:n.push([t,t])}return n}var xi=5e3,Ai=new Set(["hidden","long-line","syntax"]),Fi=0,Ae=class{constructor(n,t,r,i,o){this.desk=n;this.step=t;this.pending=r;this.turned=o;this.el=c("div",
"controls",this.unread,this.message,this.row),this.unread.id=`smolcell-unread-${++Fi}`,this.reading=new xe(i,()=>this.tellUnread(i.length)),this.el.setAttribute(
"role","group"),this.el.setAttribute("aria-label",`Decide about step ${t.n}`),this.message.setAttribute("role","status"),this.begin(),this.tellUnread(i.length)}desk;step;pending;turned;el;row=c(
"div","row");message=c("p","message");unread=c("p","unread");reading;sent="";overdue;editor=null;press(n){this.sent!==""||this.mode!=="choose"||(n==="edit"?this.
edit():n==="refuse"?this.refuse():this.send({choice:n}))}get mode(){return this.el.dataset.mode??""}arm(n){for(let t of this.row.querySelectorAll("button"))t.disabled=
!n||this.sent!==""}take(n){n===null||n.id!==this.sent||this.sent===""||(clearTimeout(this.overdue),n.ok||this.again(`Not accepted: ${n.why}.`))}close(){clearTimeout(
this.overdue),this.reading.close()}tellUnread(n){let t=Jn(this.reading.unread,n);this.unread.hidden=t==="",t===""?this.unread.replaceChildren():this.unread.firstChild===
null?this.unread.append(t," ",F("Show it","more",()=>this.reading.show())):this.unread.firstChild.textContent=t,t===""&&this.mode==="choose"&&this.offerKind()}offerKind(){
if(this.step.kind!=="code"||this.reading.unread.length>0||this.step.findings.some(({kind:t})=>Ai.has(t)))return;let n=F(Si(this.step.findings),"quiet",()=>this.
click({choice:"approve_kind"}));n.disabled=this.row.querySelector("button")?.disabled??!1,this.row.append(n)}begin(){this.step.kind==="question"?this.question():
this.step.kind==="budget"?this.budget():this.choose()}question(){let n=we("comment");n.rows=2,n.setAttribute("aria-label","Your answer. The agent's code reads i\
t."),n.placeholder="Your answer (the agent's code reads it)",this.editor=n,this.show("question",n,F("Send answer","primary",()=>this.click({choice:"edit",text:n.
value})),F("Do not answer","",()=>this.click({choice:"refuse"})),F("Stop","",()=>this.click({choice:"stop"})))}budget(){this.show("budget",F("Go on","primary",()=>this.
click({choice:"approve"})),F("Stop","",()=>this.click({choice:"stop"})))}choose(){this.editor=null,this.show("choose",F("Approve","primary",()=>this.click({choice:"\
approve"}),"A"),F("Edit","",()=>this.guard(()=>this.edit()),"E"),F("Refuse","",()=>this.guard(()=>this.refuse()),"R"),F("Stop","",()=>this.click({choice:"stop"}),
"S"),F("Approve the rest of this run","quiet",()=>this.click({choice:"approve_run"}))),this.offerKind()}edit(){let n=Zn(this.step.code);this.editor=n,this.show(
"edit",n,c("span","hint","Tab indents; Escape, then Tab, leaves the editor."),F(this.step.kind==="plan"?"Use edited plan":"Run edited","primary",()=>this.click(
{choice:"edit",text:n.value})),F("Cancel","",()=>this.back())),this.enter(n),n.setSelectionRange(0,0)}refuse(){let n=we("comment");n.rows=2,n.setAttribute("aria\
-label","Why, or what to do instead. The model reads it."),n.placeholder="Why, or what to do instead (the model reads it)",this.show("refuse",n,F("Send refusal",
"danger",()=>this.click({choice:"refuse",comment:n.value})),F("Cancel","",()=>this.back())),this.enter(n)}enter(n){n.focus({preventScroll:!0}),this.el.scrollIntoView?.(
{block:"nearest"})}back(){this.choose(),this.row.querySelector("button")?.focus({preventScroll:!0})}show(n,...t){this.el.dataset.mode=n,this.row.replaceChildren(
...t.filter(r=>r instanceof Node)),this.say("");for(let r of this.row.querySelectorAll(".smolcell-primary"))r.setAttribute("aria-describedby",this.unread.id);this.
turned(n)}click(n){this.guard(()=>this.send(n))}guard(n){this.desk.clickCounts()?n():this.say("This came just as the window came to the front, so it did not cou\
nt. Click again.")}send(n){this.sent===""&&(this.sent=this.desk.answer(this.pending,n),this.arm(!1),this.editor!==null&&(this.editor.readOnly=!0),this.say("Sent\
\u2026"),this.overdue=setTimeout(()=>this.again("The kernel has not confirmed this yet. You can try again."),xi))}again(n){this.sent="",this.arm(!0),this.editor!==
null&&(this.editor.readOnly=!1),this.say(n)}say(n){this.message.textContent=n,this.message.hidden=n===""}};function Si(e){let n=[...new Set(e.filter(({risk:r})=>r!==
"none").map(({kind:r})=>r))].sort();return`Approve ${n.length===0?"code without warnings":`code with no other warnings than ${n.join(", ")}`}, in this session`}var _i=1e6,et=2;function nt(e,n){let[t,r]=[e.split(`
`),n.split(`
`)],i=0;for(;i<Math.min(t.length,r.length)&&t[i]===r[i];)i++;let o=0;for(;o<Math.min(t.length,r.length)-i&&t[t.length-1-o]===r[r.length-1-o];)o++;let s=u=>u.map(
a=>({sign:" ",text:a})),l=Ti(t.slice(i,t.length-o),r.slice(i,r.length-o));return[...s(t.slice(0,i)),...l,...s(t.slice(t.length-o))]}function Ti(e,n){let t=n.length+
1;if(e.length*n.length>_i)return[...e.map(s=>({sign:"-",text:s})),...n.map(s=>({sign:"+",text:s}))];let r=new Uint16Array((e.length+1)*t),i=(s,l)=>r[s*t+l];for(let s=e.
length-1;s>=0;s--)for(let l=n.length-1;l>=0;l--)r[s*t+l]=e[s]===n[l]?i(s+1,l+1)+1:Math.max(i(s+1,l),i(s,l+1));let o=[];for(let s=0,l=0;s<e.length||l<n.length;)s<
e.length&&l<n.length&&e[s]===n[l]?(o.push({sign:" ",text:e[s++]}),l++):l>=n.length||s<e.length&&i(s+1,l)>=i(s,l+1)?o.push({sign:"-",text:e[s++]}):o.push({sign:"\
+",text:n[l++]});return o}function tt(e){let n=e.map((r,i)=>e.slice(Math.max(0,i-et),i+et+1).some(({sign:o})=>o!==" ")),t=c("div","code diff");return t.setAttribute(
"role","group"),t.setAttribute("aria-label","What you changed"),e.forEach((r,i)=>{n[i]===!0?t.append(Li(r)):n[i-1]!==!1&&t.append(c("div","line left-out",c("spa\
n","sign","\u2026")))}),t}var Mi={" ":"","-":"taken out: ","+":"put in: "},Ri={" ":"line","-":"line taken-out","+":"line put-in"};function Li({sign:e,text:n}){let t=c(
"span","sign",e==="-"?"\u2212":e);return t.setAttribute("aria-hidden","true"),c("div",Ri[e],t,c("span","spoken",Mi[e]),Wn(n))}var ln={};Mn(ln,{decode:()=>J,encode:()=>N,format:()=>Y,parse:()=>ee});var rt={};function Ii(e){let n=rt[e];if(n)return n;n=rt[e]=[];for(let t=0;t<128;t++){let r=String.fromCharCode(t);n.push(r)}for(let t=0;t<e.length;t++){let r=e.
charCodeAt(t);n[r]="%"+("0"+r.toString(16).toUpperCase()).slice(-2)}return n}function Fe(e,n){typeof n!="string"&&(n=Fe.defaultChars);let t=Ii(n);return e.replace(
/(%[a-f0-9]{2})+/gi,function(r){let i="";for(let o=0,s=r.length;o<s;o+=3){let l=parseInt(r.slice(o+1,o+3),16);if(l<128){i+=t[l];continue}if((l&224)===192&&o+3<s){
let u=parseInt(r.slice(o+4,o+6),16);if((u&192)===128){let a=l<<6&1984|u&63;a<128?i+="\uFFFD\uFFFD":i+=String.fromCharCode(a),o+=3;continue}}if((l&240)===224&&o+
6<s){let u=parseInt(r.slice(o+4,o+6),16),a=parseInt(r.slice(o+7,o+9),16);if((u&192)===128&&(a&192)===128){let h=l<<12&61440|u<<6&4032|a&63;h<2048||h>=55296&&h<=
57343?i+="\uFFFD\uFFFD\uFFFD":i+=String.fromCharCode(h),o+=6;continue}}if((l&248)===240&&o+9<s){let u=parseInt(r.slice(o+4,o+6),16),a=parseInt(r.slice(o+7,o+9),
16),h=parseInt(r.slice(o+10,o+12),16);if((u&192)===128&&(a&192)===128&&(h&192)===128){let f=l<<18&1835008|u<<12&258048|a<<6&4032|h&63;f<65536||f>1114111?i+="\uFFFD\uFFFD\uFFFD\
\uFFFD":(f-=65536,i+=String.fromCharCode(55296+(f>>10),56320+(f&1023))),o+=9;continue}}i+="\uFFFD"}return i})}Fe.defaultChars=";/?:@&=+$,#";Fe.componentChars="";
var J=Fe;var it={};function $i(e){let n=it[e];if(n)return n;n=it[e]=[];for(let t=0;t<128;t++){let r=String.fromCharCode(t);/^[0-9a-z]$/i.test(r)?n.push(r):n.push("%"+("0"+
t.toString(16).toUpperCase()).slice(-2))}for(let t=0;t<e.length;t++)n[e.charCodeAt(t)]=e[t];return n}function Se(e,n,t){typeof n!="string"&&(t=n,n=Se.defaultChars),
typeof t>"u"&&(t=!0);let r=$i(n),i="";for(let o=0,s=e.length;o<s;o++){let l=e.charCodeAt(o);if(t&&l===37&&o+2<s&&/^[0-9a-f]{2}$/i.test(e.slice(o+1,o+3))){i+=e.slice(
o,o+3),o+=2;continue}if(l<128){i+=r[l];continue}if(l>=55296&&l<=57343){if(l>=55296&&l<=56319&&o+1<s){let u=e.charCodeAt(o+1);if(u>=56320&&u<=57343){i+=encodeURIComponent(
e[o]+e[o+1]),o++;continue}}i+="%EF%BF%BD";continue}i+=encodeURIComponent(e[o])}return i}Se.defaultChars=";/?:@&=+$,-_.!~*'()#";Se.componentChars="-_.!~*'()";var N=Se;function Y(e){let n="";return n+=e.protocol||"",n+=e.slashes?"//":"",n+=e.auth?e.auth+"@":"",e.hostname&&e.hostname.indexOf(":")!==-1?n+="["+e.hostname+"]":n+=e.
hostname||"",n+=e.port?":"+e.port:"",n+=e.pathname||"",n+=e.search||"",n+=e.hash||"",n}function _e(){this.protocol=null,this.slashes=null,this.auth=null,this.port=null,this.hostname=null,this.hash=null,this.search=null,this.pathname=null}var Pi=/^([a-z0-9.+-]+:)/i,
Oi=/:[0-9]*$/,Bi=/^(\/\/?(?!\/)[^\?\s]*)(\?[^\s]*)?$/,Ni=["<",">",'"',"`"," ","\r",`
`,"	"],Hi=["{","}","|","\\","^","`"].concat(Ni),ji=["'"].concat(Hi),ot=["%","/","?",";","#"].concat(ji),st=["/","?","#"],zi=255,lt=/^[+a-z0-9A-Z_-]{0,63}$/,qi=/^([+a-z0-9A-Z_-]{0,63})(.*)$/,
ut={javascript:!0,"javascript:":!0},at={http:!0,https:!0,ftp:!0,gopher:!0,file:!0,"http:":!0,"https:":!0,"ftp:":!0,"gopher:":!0,"file:":!0};function Ui(e,n){if(e&&
e instanceof _e)return e;let t=new _e;return t.parse(e,n),t}_e.prototype.parse=function(e,n){let t,r,i,o=e;if(o=o.trim(),!n&&e.split("#").length===1){let a=Bi.exec(
o);if(a)return this.pathname=a[1],a[2]&&(this.search=a[2]),this}let s=Pi.exec(o);if(s&&(s=s[0],t=s.toLowerCase(),this.protocol=s,o=o.substr(s.length)),(n||s||o.
match(/^\/\/[^@\/]+@[^@\/]+/))&&(i=o.substr(0,2)==="//",i&&!(s&&ut[s])&&(o=o.substr(2),this.slashes=!0)),!ut[s]&&(i||s&&!at[s])){let a=-1;for(let d=0;d<st.length;d++)
r=o.indexOf(st[d]),r!==-1&&(a===-1||r<a)&&(a=r);let h,f;a===-1?f=o.lastIndexOf("@"):f=o.lastIndexOf("@",a),f!==-1&&(h=o.slice(0,f),o=o.slice(f+1),this.auth=h),a=
-1;for(let d=0;d<ot.length;d++)r=o.indexOf(ot[d]),r!==-1&&(a===-1||r<a)&&(a=r);a===-1&&(a=o.length),o[a-1]===":"&&a--;let m=o.slice(0,a);o=o.slice(a),this.parseHost(
m),this.hostname=this.hostname||"";let p=this.hostname[0]==="["&&this.hostname[this.hostname.length-1]==="]";if(!p){let d=this.hostname.split(/\./);for(let D=0,
w=d.length;D<w;D++){let C=d[D];if(C&&!C.match(lt)){let x="";for(let E=0,v=C.length;E<v;E++)C.charCodeAt(E)>127?x+="x":x+=C[E];if(!x.match(lt)){let E=d.slice(0,D),
v=d.slice(D+1),y=C.match(qi);y&&(E.push(y[1]),v.unshift(y[2])),v.length&&(o=v.join(".")+o),this.hostname=E.join(".");break}}}}this.hostname.length>zi&&(this.hostname=
""),p&&(this.hostname=this.hostname.substr(1,this.hostname.length-2))}let l=o.indexOf("#");l!==-1&&(this.hash=o.substr(l),o=o.slice(0,l));let u=o.indexOf("?");return u!==
-1&&(this.search=o.substr(u),o=o.slice(0,u)),o&&(this.pathname=o),at[t]&&this.hostname&&!this.pathname&&(this.pathname=""),this};_e.prototype.parseHost=function(e){
let n=Oi.exec(e);n&&(n=n[0],n!==":"&&(this.port=n.substr(1)),e=e.substr(0,e.length-n.length)),e&&(this.hostname=e)};var ee=Ui;var cn={};Mn(cn,{Any:()=>Vi,Cc:()=>Wi,Cf:()=>Ki,P:()=>un,S:()=>an,Z:()=>Gi});var Vi=/[\0-\uD7FF\uE000-\uFFFF]|[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/,
Wi=/[\0-\x1F\x7F-\x9F]/,Ki=/[\xAD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]|\uD804[\uDCBD\uDCCD]|\uD80D[\uDC30-\uDC3F]|\uD82F[\uDCA0-\uDCA3]|\uD834[\uDD73-\uDD7A]|\uDB40[\uDC01\uDC20-\uDC7F]/,
un=/[!-#%-\*,-\/:;\?@\[-\]_\{\}\xA1\xA7\xAB\xB6\xB7\xBB\xBF\u037E\u0387\u055A-\u055F\u0589\u058A\u05BE\u05C0\u05C3\u05C6\u05F3\u05F4\u0609\u060A\u060C\u060D\u061B\u061D-\u061F\u066A-\u066D\u06D4\u0700-\u070D\u07F7-\u07F9\u0830-\u083E\u085E\u0964\u0965\u0970\u09FD\u0A76\u0AF0\u0C77\u0C84\u0DF4\u0E4F\u0E5A\u0E5B\u0F04-\u0F12\u0F14\u0F3A-\u0F3D\u0F85\u0FD0-\u0FD4\u0FD9\u0FDA\u104A-\u104F\u10FB\u1360-\u1368\u1400\u166E\u169B\u169C\u16EB-\u16ED\u1735\u1736\u17D4-\u17D6\u17D8-\u17DA\u1800-\u180A\u1944\u1945\u1A1E\u1A1F\u1AA0-\u1AA6\u1AA8-\u1AAD\u1B4E\u1B4F\u1B5A-\u1B60\u1B7D-\u1B7F\u1BFC-\u1BFF\u1C3B-\u1C3F\u1C7E\u1C7F\u1CC0-\u1CC7\u1CD3\u2010-\u2027\u2030-\u2043\u2045-\u2051\u2053-\u205E\u207D\u207E\u208D\u208E\u2308-\u230B\u2329\u232A\u2768-\u2775\u27C5\u27C6\u27E6-\u27EF\u2983-\u2998\u29D8-\u29DB\u29FC\u29FD\u2CF9-\u2CFC\u2CFE\u2CFF\u2D70\u2E00-\u2E2E\u2E30-\u2E4F\u2E52-\u2E5D\u3001-\u3003\u3008-\u3011\u3014-\u301F\u3030\u303D\u30A0\u30FB\uA4FE\uA4FF\uA60D-\uA60F\uA673\uA67E\uA6F2-\uA6F7\uA874-\uA877\uA8CE\uA8CF\uA8F8-\uA8FA\uA8FC\uA92E\uA92F\uA95F\uA9C1-\uA9CD\uA9DE\uA9DF\uAA5C-\uAA5F\uAADE\uAADF\uAAF0\uAAF1\uABEB\uFD3E\uFD3F\uFE10-\uFE19\uFE30-\uFE52\uFE54-\uFE61\uFE63\uFE68\uFE6A\uFE6B\uFF01-\uFF03\uFF05-\uFF0A\uFF0C-\uFF0F\uFF1A\uFF1B\uFF1F\uFF20\uFF3B-\uFF3D\uFF3F\uFF5B\uFF5D\uFF5F-\uFF65]|\uD800[\uDD00-\uDD02\uDF9F\uDFD0]|\uD801\uDD6F|\uD802[\uDC57\uDD1F\uDD3F\uDE50-\uDE58\uDE7F\uDEF0-\uDEF6\uDF39-\uDF3F\uDF99-\uDF9C]|\uD803[\uDD6E\uDEAD\uDED0\uDF55-\uDF59\uDF86-\uDF89]|\uD804[\uDC47-\uDC4D\uDCBB\uDCBC\uDCBE-\uDCC1\uDD40-\uDD43\uDD74\uDD75\uDDC5-\uDDC8\uDDCD\uDDDB\uDDDD-\uDDDF\uDE38-\uDE3D\uDEA9\uDFD4\uDFD5\uDFD7\uDFD8]|\uD805[\uDC4B-\uDC4F\uDC5A\uDC5B\uDC5D\uDCC6\uDDC1-\uDDD7\uDE41-\uDE43\uDE60-\uDE6C\uDEB9\uDF3C-\uDF3E]|\uD806[\uDC3B\uDD44-\uDD46\uDDE2\uDE3F-\uDE46\uDE9A-\uDE9C\uDE9E-\uDEA2\uDF00-\uDF09\uDFE1]|\uD807[\uDC41-\uDC45\uDC70\uDC71\uDEF7\uDEF8\uDF43-\uDF4F\uDFFF]|\uD809[\uDC70-\uDC74]|\uD80B[\uDFF1\uDFF2]|\uD81A[\uDE6E\uDE6F\uDEF5\uDF37-\uDF3B\uDF44]|\uD81B[\uDD6D-\uDD6F\uDE97-\uDE9A\uDFE2]|\uD82F\uDC9F|\uD836[\uDE87-\uDE8B]|\uD839\uDDFF|\uD83A[\uDD5E\uDD5F]/,
an=/[\$\+<->\^`\|~\xA2-\xA6\xA8\xA9\xAC\xAE-\xB1\xB4\xB8\xD7\xF7\u02C2-\u02C5\u02D2-\u02DF\u02E5-\u02EB\u02ED\u02EF-\u02FF\u0375\u0384\u0385\u03F6\u0482\u058D-\u058F\u0606-\u0608\u060B\u060E\u060F\u06DE\u06E9\u06FD\u06FE\u07F6\u07FE\u07FF\u0888\u09F2\u09F3\u09FA\u09FB\u0AF1\u0B70\u0BF3-\u0BFA\u0C7F\u0D4F\u0D79\u0E3F\u0F01-\u0F03\u0F13\u0F15-\u0F17\u0F1A-\u0F1F\u0F34\u0F36\u0F38\u0FBE-\u0FC5\u0FC7-\u0FCC\u0FCE\u0FCF\u0FD5-\u0FD8\u109E\u109F\u1390-\u1399\u166D\u17DB\u1940\u19DE-\u19FF\u1B61-\u1B6A\u1B74-\u1B7C\u1FBD\u1FBF-\u1FC1\u1FCD-\u1FCF\u1FDD-\u1FDF\u1FED-\u1FEF\u1FFD\u1FFE\u2044\u2052\u207A-\u207C\u208A-\u208C\u20A0-\u20C1\u2100\u2101\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211E-\u2123\u2125\u2127\u2129\u212E\u213A\u213B\u2140-\u2144\u214A-\u214D\u214F\u218A\u218B\u2190-\u2307\u230C-\u2328\u232B-\u2429\u2440-\u244A\u249C-\u24E9\u2500-\u2767\u2794-\u27C4\u27C7-\u27E5\u27F0-\u2982\u2999-\u29D7\u29DC-\u29FB\u29FE-\u2B73\u2B76-\u2BFF\u2CE5-\u2CEA\u2E50\u2E51\u2E80-\u2E99\u2E9B-\u2EF3\u2F00-\u2FD5\u2FF0-\u2FFF\u3004\u3012\u3013\u3020\u3036\u3037\u303E\u303F\u309B\u309C\u3190\u3191\u3196-\u319F\u31C0-\u31E5\u31EF\u3200-\u321E\u322A-\u3247\u3250\u3260-\u327F\u328A-\u32B0\u32C0-\u33FF\u4DC0-\u4DFF\uA490-\uA4C6\uA700-\uA716\uA720\uA721\uA789\uA78A\uA828-\uA82B\uA836-\uA839\uAA77-\uAA79\uAB5B\uAB6A\uAB6B\uFB29\uFBB2-\uFBD2\uFD40-\uFD4F\uFD90\uFD91\uFDC8-\uFDCF\uFDFC-\uFDFF\uFE62\uFE64-\uFE66\uFE69\uFF04\uFF0B\uFF1C-\uFF1E\uFF3E\uFF40\uFF5C\uFF5E\uFFE0-\uFFE6\uFFE8-\uFFEE\uFFFC\uFFFD]|\uD800[\uDD37-\uDD3F\uDD79-\uDD89\uDD8C-\uDD8E\uDD90-\uDD9C\uDDA0\uDDD0-\uDDFC]|\uD802[\uDC77\uDC78\uDEC8]|\uD803[\uDD8E\uDD8F\uDED1-\uDED8]|\uD805\uDF3F|\uD807[\uDFD5-\uDFF1]|\uD81A[\uDF3C-\uDF3F\uDF45]|\uD82F\uDC9C|\uD833[\uDC00-\uDCEF\uDCFA-\uDCFC\uDD00-\uDEB3\uDEBA-\uDED0\uDEE0-\uDEF0\uDF50-\uDFC3]|\uD834[\uDC00-\uDCF5\uDD00-\uDD26\uDD29-\uDD64\uDD6A-\uDD6C\uDD83\uDD84\uDD8C-\uDDA9\uDDAE-\uDDEA\uDE00-\uDE41\uDE45\uDF00-\uDF56]|\uD835[\uDEC1\uDEDB\uDEFB\uDF15\uDF35\uDF4F\uDF6F\uDF89\uDFA9\uDFC3]|\uD836[\uDC00-\uDDFF\uDE37-\uDE3A\uDE6D-\uDE74\uDE76-\uDE83\uDE85\uDE86]|\uD838[\uDD4F\uDEFF]|\uD83B[\uDCAC\uDCB0\uDD2E\uDEF0\uDEF1]|\uD83C[\uDC00-\uDC2B\uDC30-\uDC93\uDCA0-\uDCAE\uDCB1-\uDCBF\uDCC1-\uDCCF\uDCD1-\uDCF5\uDD0D-\uDDAD\uDDE6-\uDE02\uDE10-\uDE3B\uDE40-\uDE48\uDE50\uDE51\uDE60-\uDE65\uDF00-\uDFFF]|\uD83D[\uDC00-\uDED8\uDEDC-\uDEEC\uDEF0-\uDEFC\uDF00-\uDFD9\uDFE0-\uDFEB\uDFF0]|\uD83E[\uDC00-\uDC0B\uDC10-\uDC47\uDC50-\uDC59\uDC60-\uDC87\uDC90-\uDCAD\uDCB0-\uDCBB\uDCC0\uDCC1\uDCD0-\uDCD8\uDD00-\uDE57\uDE60-\uDE6D\uDE70-\uDE7C\uDE80-\uDE8A\uDE8E-\uDEC6\uDEC8\uDECD-\uDEDC\uDEDF-\uDEEA\uDEEF-\uDEF8\uDF00-\uDF92\uDF94-\uDFEF\uDFFA]/,
Gi=/[ \xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/;var Te=class{},ne=e=>e;var dn={toASCII:ne,toUnicode:ne};var ct=Object.defineProperty,Et=(e,n)=>{let t={};for(var r in e)ct(t,r,{get:e[r],enumerable:!0});return n||ct(t,Symbol.toStringTag,{value:"Module"}),t},Zi=Et({arrayReplaceAt:()=>Yi,
asciiTrim:()=>$e,callable:()=>Dt,escapeHtml:()=>H,escapeRE:()=>so,fromCodePoint:()=>re,isMdAsciiPunct:()=>se,isPunctChar:()=>xt,isPunctCharCode:()=>oe,isSpace:()=>S,
isValidEntityCode:()=>kn,isWhiteSpace:()=>ie,lib:()=>lo,normalizeReference:()=>Ie,unescapeAll:()=>X,unescapeMd:()=>eo});function Dt(e){let n=function(...t){return Reflect.
construct(e,t,new.target&&new.target!==n?new.target:e)};return Object.defineProperty(n,"name",{value:e.name}),Object.setPrototypeOf(n,e),n.prototype=e.prototype,
n}function Yi(e,n,t){return[].concat(e.slice(0,n),t,e.slice(n+1))}function kn(e){return!(e>=55296&&e<=57343||e>=64976&&e<=65007||(e&65535)===65535||(e&65535)===
65534||e>=0&&e<=8||e===11||e>=14&&e<=31||e>=127&&e<=159||e>1114111)}function re(e){if(e>65535){e-=65536;let n=55296+(e>>10),t=56320+(e&1023);return String.fromCharCode(
n,t)}return String.fromCharCode(e)}var wt=/\\([!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~])/g,Xi=new RegExp(`${wt.source}|${/&([a-z#][a-z0-9]{1,31});/gi.source}`,"gi"),
Qi=/^#((?:x[a-f0-9]{1,8}|[0-9]{1,8}))$/i;function Ji(e,n){if(n.charCodeAt(0)===35&&Qi.test(n)){let r=n[1].toLowerCase()==="x"?parseInt(n.slice(2),16):parseInt(n.
slice(1),10);return kn(r)?re(r):e}let t=ne(e);return t!==e?t:e}function eo(e){return e.indexOf("\\")<0?e:e.replace(wt,"$1")}function X(e){return e.indexOf("\\")<
0&&e.indexOf("&")<0?e:e.replace(Xi,function(n,t,r){return t||Ji(n,r)})}var no=/[&<>"]/,to=/[&<>"]/g,ro={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;"};function io(e){
return ro[e]}function H(e){return no.test(e)?e.replace(to,io):e}var oo=/[.?*+^$[\]\\(){}|-]/g;function so(e){return e.replace(oo,"\\$&")}function S(e){switch(e){case 9:case 32:
return!0}return!1}function ie(e){if(e>=8192&&e<=8202)return!0;switch(e){case 9:case 10:case 11:case 12:case 13:case 32:case 160:case 5760:case 8239:case 8287:case 12288:
return!0}return!1}function xt(e){return un.test(e)||an.test(e)}function oe(e){return xt(re(e))}function se(e){switch(e){case 33:case 34:case 35:case 36:case 37:case 38:case 39:case 40:case 41:case 42:case 43:case 44:case 45:case 46:case 47:case 58:case 59:case 60:case 61:case 62:case 63:case 64:case 91:case 92:case 93:case 94:case 95:case 96:case 123:case 124:case 125:case 126:
return!0;default:return!1}}function Ie(e){return e=e.trim().replace(/\s+/g," "),e.toLowerCase().toUpperCase()}function dt(e){return e===32||e===9||e===10||e===13}
function $e(e){let n=0;for(;n<e.length&&dt(e.charCodeAt(n));n++);let t=e.length-1;for(;t>=n&&dt(e.charCodeAt(t));t--);return e.slice(n,t+1)}var lo={mdurl:ln,ucmicro:cn};
function uo(e,n,t){let r,i,o,s,l=e.posMax,u=e.pos;for(e.pos=n+1,r=1;e.pos<l;){if(o=e.src.charCodeAt(e.pos),o===93&&(r--,r===0)){i=!0;break}if(s=e.pos,e.md.inline.
skipToken(e),o===91){if(s===e.pos-1)r++;else if(t)return e.pos=u,-1}}let a=-1;return i&&(a=e.pos),e.pos=u,a}function ao(e,n,t){let r,i=n,o={ok:!1,pos:0,str:""};
if(e.charCodeAt(i)===60){for(i++;i<t;){if(r=e.charCodeAt(i),r===10||r===60)return o;if(r===62)return o.pos=i+1,o.str=X(e.slice(n+1,i)),o.ok=!0,o;if(r===92&&i+1<
t){i+=2;continue}i++}return o}let s=0;for(;i<t&&(r=e.charCodeAt(i),!(r===32||r<32||r===127));){if(r===92&&i+1<t){if(e.charCodeAt(i+1)===32){i++;continue}i+=2;continue}
if(r===40&&(s++,s>32))return o;if(r===41){if(s===0)break;s--}i++}return n===i||s!==0||(o.str=X(e.slice(n,i)),o.pos=i,o.ok=!0),o}function co(e,n,t,r){let i,o=n,s={
ok:!1,can_continue:!1,pos:0,str:"",marker:0};if(r)s.str=r.str,s.marker=r.marker;else{if(o>=t)return s;let l=e.charCodeAt(o);if(l!==34&&l!==39&&l!==40)return s;n++,
o++,l===40&&(l=41),s.marker=l}for(;o<t;){if(i=e.charCodeAt(o),i===s.marker)return s.pos=o+1,s.str+=X(e.slice(n,o)),s.ok=!0,s;if(i===40&&s.marker===41)return s;i===
92&&o+1<t&&o++,o++}return s.can_continue=!0,s.str+=X(e.slice(n,o)),s}var ho=Et({parseLinkDestination:()=>ao,parseLinkLabel:()=>uo,parseLinkTitle:()=>co});function le(e){
"@babel/helpers - typeof";return le=typeof Symbol=="function"&&typeof Symbol.iterator=="symbol"?function(n){return typeof n}:function(n){return n&&typeof Symbol==
"function"&&n.constructor===Symbol&&n!==Symbol.prototype?"symbol":typeof n},le(e)}function fo(e,n){if(le(e)!="object"||!e)return e;var t=e[Symbol.toPrimitive];if(t!==
void 0){var r=t.call(e,n||"default");if(le(r)!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(n==="string"?String:
Number)(e)}function po(e){var n=fo(e,"string");return le(n)=="symbol"?n:n+""}function k(e,n,t){return(n=po(n))in e?Object.defineProperty(e,n,{value:t,enumerable:!0,
configurable:!0,writable:!0}):e[n]=t,e}var q=class{constructor(e,n,t){k(this,"map",null),k(this,"level",0),k(this,"children",null),k(this,"content",""),k(this,"\
markup",""),k(this,"info",""),k(this,"block",!1),k(this,"hidden",!1),this.type=e,this.tag=n,this.attrs=null,this.nesting=t,this.meta=null}attrIndex(e){if(!this.
attrs)return-1;let n=this.attrs;for(let t=0,r=n.length;t<r;t++)if(n[t][0]===e)return t;return-1}attrPush(e){this.attrs?this.attrs.push(e):this.attrs=[e]}attrSet(e,n){
let t=this.attrIndex(e),r=[e,n];t<0?this.attrPush(r):this.attrs[t]=r}attrGet(e){let n=this.attrIndex(e),t=null;return n>=0&&(t=this.attrs[n][1]),t}attrJoin(e,n){
let t=this.attrIndex(e);t<0?this.attrPush([e,n]):this.attrs[t][1]=`${this.attrs[t][1]} ${n}`}},ue=class{constructor(){k(this,"__rules__",[]),k(this,"__cache__",
null)}__find__(e){for(let n=0;n<this.__rules__.length;n++)if(this.__rules__[n].name===e)return n;return-1}__compile__(){let e=new Set;this.__rules__.forEach(n=>{
n.enabled&&n.alt.forEach(t=>{t&&e.add(t)})}),this.__cache__=Object.create(null),this.__cache__[""]=[],this.__rules__.forEach(n=>{n.enabled&&this.__cache__[""].push(
n.fn)}),e.forEach(n=>{this.__cache__[n]=[],this.__rules__.forEach(t=>{t.enabled&&t.alt.indexOf(n)>=0&&this.__cache__[n].push(t.fn)})})}at(e,n,t={}){let r=this.__find__(
e);if(r===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__[r].fn=n,this.__rules__[r].alt=t.alt||[],this.__cache__=null}before(e,n,t,r={}){let i=this.
__find__(e);if(i===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__.splice(i,0,{name:n,enabled:!0,fn:t,alt:r.alt||[]}),this.__cache__=null}after(e,n,t,r={}){
let i=this.__find__(e);if(i===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__.splice(i+1,0,{name:n,enabled:!0,fn:t,alt:r.alt||[]}),this.__cache__=
null}push(e,n,t={}){this.__rules__.push({name:e,enabled:!0,fn:n,alt:t.alt||[]}),this.__cache__=null}enable(e,n=!1){Array.isArray(e)||(e=[e]);let t=[];return e.forEach(
r=>{let i=this.__find__(r);if(i<0){if(n)return;throw new Error(`Rules manager: invalid rule name ${r}`)}this.__rules__[i].enabled=!0,t.push(r)}),this.__cache__=
null,t}enableOnly(e,n=!1){Array.isArray(e)||(e=[e]),this.__rules__.forEach(t=>{t.enabled=!1}),this.enable(e,n)}disable(e,n=!1){Array.isArray(e)||(e=[e]);let t=[];
return e.forEach(r=>{let i=this.__find__(r);if(i<0){if(n)return;throw new Error(`Rules manager: invalid rule name ${r}`)}this.__rules__[i].enabled=!1,t.push(r)}),
this.__cache__=null,t}getRules(e){return this.__cache__||this.__compile__(),this.__cache__[e]||[]}},P={};P.code_inline=function(e,n,t,r,i){let o=e[n];return`<co\
de${i.renderAttrs(o)}>${H(o.content)}</code>`};P.code_block=function(e,n,t,r,i){let o=e[n];return`<pre${i.renderAttrs(o)}><code>${H(e[n].content)}</code></pre>
`};P.fence=function(e,n,t,r,i){let o=e[n],s=o.info?X(o.info).trim():"",l="",u="";if(s){let h=s.split(/(\s+)/g);l=h[0],u=h.slice(2).join("")}let a;if(t.highlight?
a=t.highlight(o.content,l,u)||H(o.content):a=H(o.content),a.indexOf("<pre")===0)return a+`
`;if(s){let h=o.attrIndex("class"),f=o.attrs?o.attrs.slice():[];h<0?f.push(["class",`${t.langPrefix}${l}`]):(f[h]=[f[h][0],f[h][1]],f[h][1]+=` ${t.langPrefix}${l}`);
let m={attrs:f};return`<pre><code${i.renderAttrs(m)}>${a}</code></pre>
`}return`<pre><code${i.renderAttrs(o)}>${a}</code></pre>
`};P.image=function(e,n,t,r,i){let o=e[n];return o.attrs[o.attrIndex("alt")][1]=i.renderInlineAsText(o.children,t,r),i.renderToken(e,n,t)};P.hardbreak=function(e,n,t){
return t.xhtmlOut?`<br />
`:`<br>
`};P.softbreak=function(e,n,t){return t.breaks?t.xhtmlOut?`<br />
`:`<br>
`:`
`};P.text=function(e,n){return H(e[n].content)};P.html_block=function(e,n){return e[n].content};P.html_inline=function(e,n){return e[n].content};var At=class{constructor(){
k(this,"rules",Object.assign({},P))}renderAttrs(e){let n,t,r;if(!e.attrs)return"";for(r="",n=0,t=e.attrs.length;n<t;n++)r+=` ${H(e.attrs[n][0])}="${H(String(e.attrs[n][1]))}\
"`;return r}renderToken(e,n,t){let r=e[n],i="";if(r.hidden)return"";let o=n-1;for(;o>=0&&e[o].hidden&&e[o].nesting===0;)o--;r.block&&r.nesting!==-1&&o>=0&&e[o].
hidden&&e[o].nesting===-1&&(i+=`
`),i+=(r.nesting===-1?"</":"<")+r.tag,i+=this.renderAttrs(r),r.nesting===0&&t.xhtmlOut&&(i+=" /");let s=!1;if(r.block&&(s=!0,r.nesting===1)){let l=n+1;for(;l<e.
length&&e[l].hidden&&e[l].nesting===0;)l++;if(l<e.length){let u=e[l];(u.type==="inline"||u.hidden||u.nesting===-1&&u.tag===r.tag)&&(s=!1)}}return i+=s?`>
`:">",i}renderInline(e,n,t){let r="",i=this.rules;for(let o=0,s=e.length;o<s;o++){let l=e[o].type;typeof i[l]<"u"?r+=i[l](e,o,n,t,this):r+=this.renderToken(e,o,
n)}return r}renderInlineAsText(e,n,t){let r="";for(let i=0,o=e.length;i<o;i++)switch(e[i].type){case"text":case"code_inline":r+=e[i].content;break;case"image":r+=
this.renderInlineAsText(e[i].children,n,t);break;case"html_inline":case"html_block":r+=e[i].content;break;case"softbreak":case"hardbreak":r+=`
`}return r}render(e,n,t){let r="",i=this.rules;for(let o=0,s=e.length;o<s;o++){let l=e[o].type;l==="inline"?r+=this.renderInline(e[o].children,n,t):typeof i[l]<
"u"?r+=i[l](e,o,n,t,this):r+=this.renderToken(e,o,n)}return r}},Ft=class{constructor(e,n,t){k(this,"tokens",[]),k(this,"inlineMode",!1),k(this,"Token",q),this.src=
e,this.env=t,this.md=n}},mo=/\r\n?/g,go=/\0/g;function ko(e){let n;n=e.src.replace(mo,`
`),n=n.replace(go,"\uFFFD"),e.src=n}function bo(e){let n;e.inlineMode?(n=new e.Token("inline","",0),n.content=e.src,n.map=[0,1],n.children=[],e.tokens.push(n)):
e.md.block.parse(e.src,e.md,e.env,e.tokens)}function Co(e){let n=e.tokens,t=0;for(let r=0;r<n.length;r++)n[r].type!=="reference_definition"&&(r!==t&&(n[t]=n[r]),
t++);n.length!==t&&(n.length=t)}function vo(e){let n=e.tokens;for(let t=0,r=n.length;t<r;t++){let i=n[t];i.type==="inline"&&e.md.inline.parse(i.content,e.md,e.env,
i.children)}}function yo(e){return/^<a[>\s]/i.test(e)}function Eo(e){return/^<\/a\s*>/i.test(e)}function Do(e){let n=e.tokens;if(e.md.options.linkify)for(let t=0,
r=n.length;t<r;t++){if(n[t].type!=="inline"||!e.md.linkify.test(n[t].content))continue;let i=n[t].children,o=[],s=0;for(let l=i.length-1;l>=0;l--){let u=i[l];if(u.
type==="link_close"){for(l--;i[l].level!==u.level&&i[l].type!=="link_open";)l--;continue}if(u.type==="html_inline"&&(yo(u.content)&&s>0&&s--,Eo(u.content)&&s++),
!(s>0)&&u.type==="text"&&e.md.linkify.test(u.content)){let a=u.content,h=e.md.linkify.match(a),f=[],m=u.level,p=0;h.length>0&&h[0].index===0&&l>0&&i[l-1].type===
"text_special"&&(h=h.slice(1));for(let d=0;d<h.length;d++){let D=h[d].url,w=e.md.normalizeLink(D);if(!e.md.validateLink(w))continue;let C=h[d].text;h[d].schema?
h[d].schema==="mailto:"&&!/^mailto:/i.test(C)?C=e.md.normalizeLinkText(`mailto:${C}`).replace(/^mailto:/,""):C=e.md.normalizeLinkText(C):C=e.md.normalizeLinkText(
`http://${C}`).replace(/^http:\/\//,"");let x=h[d].index;if(x>p){let b=new e.Token("text","",0);b.content=a.slice(p,x),b.level=m,f.push(b)}let E=new e.Token("li\
nk_open","a",1);E.attrs=[["href",w]],E.level=m++,E.markup="linkify",E.info="auto",f.push(E);let v=new e.Token("text","",0);v.content=C,v.level=m,f.push(v);let y=new e.
Token("link_close","a",-1);y.level=--m,y.markup="linkify",y.info="auto",f.push(y),p=h[d].lastIndex}if(p<a.length){let d=new e.Token("text","",0);d.content=a.slice(
p),d.level=m,f.push(d)}o.push({index:l,nodes:f})}}if(o.length>0){let l=i.length;for(let f of o)l+=f.nodes.length-1;let u=new Array(l),a=0,h=0;o.reverse();for(let f=0;f<
i.length;f++){let m=o[a];if(m?.index===f){for(let p of m.nodes)u[h++]=p;a++}else u[h++]=i[f]}n[t].children=u}}}var St=/\+-|\.\.|\?\?\?\?|!!!!|,,|--/,wo=/\((c|tm|r)\)/i,
xo=/\((c|tm|r)\)/gi,Ao={c:"\xA9",r:"\xAE",tm:"\u2122"};function Fo(e,n){return Ao[n.toLowerCase()]}function So(e){let n=0;for(let t=e.length-1;t>=0;t--){let r=e[t];
r.type==="text"&&!n&&(r.content=r.content.replace(xo,Fo)),r.type==="link_open"&&r.info==="auto"&&n--,r.type==="link_close"&&r.info==="auto"&&n++}}function _o(e){
let n=0;for(let t=e.length-1;t>=0;t--){let r=e[t];r.type==="text"&&!n&&St.test(r.content)&&(r.content=r.content.replace(/\+-/g,"\xB1").replace(/\.{2,}/g,"\u2026").
replace(/([?!])…/g,"$1..").replace(/([?!]){4,}/g,"$1$1$1").replace(/,{2,}/g,",").replace(/(^|[^-])---(?=[^-]|$)/gm,"$1\u2014").replace(/(^|\s)--(?=\s|$)/gm,"$\
1\u2013").replace(/(^|[^-\s])--(?=[^-\s]|$)/gm,"$1\u2013")),r.type==="link_open"&&r.info==="auto"&&n--,r.type==="link_close"&&r.info==="auto"&&n++}}function To(e){
let n;if(e.md.options.typographer)for(n=e.tokens.length-1;n>=0;n--)e.tokens[n].type==="inline"&&(wo.test(e.tokens[n].content)&&So(e.tokens[n].children),St.test(
e.tokens[n].content)&&_o(e.tokens[n].children))}var Mo=/['"]/,ht=/['"]/g,ft="\u2019",Ro=1e3;function pt(e,n,t){for(;e.length>t;){let r=e.pop();r.isSingleQuote?n.
single=r.prevSameQuoteIdx:n.double=r.prevSameQuoteIdx}}function Me(e,n,t,r){e[n]||(e[n]=[]),e[n].push({pos:t,ch:r})}function Lo(e,n){let t="",r=0;n.sort((i,o)=>i.
pos-o.pos);for(let i=0;i<n.length;i++){let o=n[i];t+=e.slice(r,o.pos)+o.ch,r=o.pos+1}return t+e.slice(r)}function Io(e,n){let t,r=[],i={single:-1,double:-1},o={};
for(let s=0;s<e.length;s++){let l=e[s],u=e[s].level;for(t=r.length-1;t>=0&&!(r[t].level<=u);t--);if(pt(r,i,t+1),l.type!=="text")continue;let a=l.content,h=0,f=a.
length;e:for(;h<f;){ht.lastIndex=h;let m=ht.exec(a);if(!m)break;let p=!0,d=!0;h=m.index+1;let D=m[0]==="'",w=32;if(m.index-1>=0)w=a.charCodeAt(m.index-1);else for(t=
s-1;t>=0&&!(e[t].type==="softbreak"||e[t].type==="hardbreak");t--)if(e[t].content){w=e[t].content.charCodeAt(e[t].content.length-1);break}let C=32;if(h<f)C=a.charCodeAt(
h);else for(t=s+1;t<e.length&&!(e[t].type==="softbreak"||e[t].type==="hardbreak");t++)if(e[t].content){C=e[t].content.charCodeAt(0);break}let x=se(w)||oe(w),E=se(
C)||oe(C),v=ie(w),y=ie(C);if(y?p=!1:E&&(v||x||(p=!1)),v?d=!1:x&&(y||E||(d=!1)),C===34&&m[0]==='"'&&w>=48&&w<=57&&(d=p=!1),p&&d&&(p=x,d=E),!p&&!d){D&&Me(o,s,m.index,
ft);continue}if(d&&(t=D?i.single:i.double,t>=0&&r[t].level===u)){let b=r[t],A,R;D?(A=n.md.options.quotes[2],R=n.md.options.quotes[3]):(A=n.md.options.quotes[0],
R=n.md.options.quotes[1]),Me(o,s,m.index,R),Me(o,b.tokenIdx,b.contentPos,A),pt(r,i,t);continue e}if(p){if(r.length>=Ro)return;r.push({tokenIdx:s,contentPos:m.index,
isSingleQuote:D,level:u,prevSameQuoteIdx:D?i.single:i.double}),D?i.single=r.length-1:i.double=r.length-1}else d&&D&&Me(o,s,m.index,ft)}}Object.keys(o).forEach(function(s){
let l=Number(s);e[l].content=Lo(e[l].content,o[s])})}function $o(e){if(e.md.options.typographer)for(let n=e.tokens.length-1;n>=0;n--)e.tokens[n].type!=="inline"||
!Mo.test(e.tokens[n].content)||Io(e.tokens[n].children,e)}function Po(e){let n,t,r=e.length;for(n=0;n<r;n++)e[n].type==="text_special"&&(e[n].type="text");for(n=
t=0;n<r;n++)e[n].type==="text"&&n+1<r&&e[n+1].type==="text"?e[n+1].content=e[n].content+e[n+1].content:(n!==t&&(e[t]=e[n]),t++);n!==t&&(e.length=t)}function Oo(e){
let n,t,r=e.tokens,i=r.length;for(let o=0;o<i;o++){if(r[o].type!=="inline")continue;let s=r[o].children,l=s.length;for(n=0;n<l;n++)s[n].type==="text_special"&&(s[n].
type="text"),s[n].children&&Po(s[n].children);for(n=t=0;n<l;n++)s[n].type==="text"&&n+1<l&&s[n+1].type==="text"?s[n+1].content=s[n].content+s[n+1].content:(n!==
t&&(s[t]=s[n]),t++);n!==t&&(s.length=t)}}var hn=[["normalize",ko],["block",bo],["strip_references",Co],["inline",vo],["linkify",Do],["replacements",To],["smartq\
uotes",$o],["text_join",Oo]],_t=class{constructor(){k(this,"ruler",new ue),k(this,"State",Ft);for(let e=0;e<hn.length;e++)this.ruler.push(hn[e][0],hn[e][1])}process(e){
let n=this.ruler.getRules("");for(let t=0,r=n.length;t<r;t++)n[t](e)}},Tt=class{constructor(e,n,t,r){k(this,"bMarks",[]),k(this,"eMarks",[]),k(this,"tShift",[]),
k(this,"sCount",[]),k(this,"bsCount",[]),k(this,"blkIndent",0),k(this,"line",0),k(this,"lineMax",0),k(this,"tight",!1),k(this,"listIndent",-1),k(this,"parentTyp\
e","root"),k(this,"level",0),k(this,"Token",q),this.src=e,this.md=n,this.env=t,this.tokens=r;let i=this.src;for(let o=0,s=0,l=0,u=0,a=i.length,h=!1;s<a;s++){let f=i.
charCodeAt(s);if(!h)if(S(f)){l++,f===9?u+=4-u%4:u++;continue}else h=!0;(f===10||s===a-1)&&(f!==10&&s++,this.bMarks.push(o),this.eMarks.push(s),this.tShift.push(
l),this.sCount.push(u),this.bsCount.push(0),h=!1,l=0,u=0,o=s+1)}this.bMarks.push(i.length),this.eMarks.push(i.length),this.tShift.push(0),this.sCount.push(0),this.
bsCount.push(0),this.lineMax=this.bMarks.length-1}push(e,n,t){let r=new q(e,n,t);return r.block=!0,t<0&&this.level--,r.level=this.level,t>0&&this.level++,this.tokens.
push(r),r}isEmpty(e){return this.bMarks[e]+this.tShift[e]>=this.eMarks[e]}skipEmptyLines(e){for(let n=this.lineMax;e<n&&!(this.bMarks[e]+this.tShift[e]<this.eMarks[e]);e++)
;return e}skipSpaces(e){for(let n=this.src.length;e<n&&S(this.src.charCodeAt(e));e++);return e}skipSpacesBack(e,n){if(e<=n)return e;for(;e>n;)if(!S(this.src.charCodeAt(
--e)))return e+1;return e}skipChars(e,n){for(let t=this.src.length;e<t&&this.src.charCodeAt(e)===n;e++);return e}skipCharsBack(e,n,t){if(e<=t)return e;for(;e>t;)
if(n!==this.src.charCodeAt(--e))return e+1;return e}getLines(e,n,t,r){if(e>=n)return"";let i=new Array(n-e);for(let o=0,s=e;s<n;s++,o++){let l=0,u=this.bMarks[s],
a=u,h;for(s+1<n||r?h=this.eMarks[s]+1:h=this.eMarks[s];a<h&&l<t;){let f=this.src.charCodeAt(a);if(S(f))f===9?l+=4-(l+this.bsCount[s])%4:l++;else if(a-u<this.tShift[s])
l++;else break;a++}l>t?i[o]=new Array(l-t+1).join(" ")+this.src.slice(a,h):i[o]=this.src.slice(a,h)}return i.join("")}},Bo=65536;function fn(e,n){let t=e.bMarks[n]+
e.tShift[n],r=e.eMarks[n];return e.src.slice(t,r)}function mt(e){let n=[],t=e.length,r=0,i=e.charCodeAt(r),o=!1,s=0,l="";for(;r<t;)i===124&&(o?(l+=e.substring(s,
r-1),s=r):(n.push(l+e.substring(s,r)),l="",s=r+1)),o=i===92,r++,i=e.charCodeAt(r);return n.push(l+e.substring(s)),n}function No(e,n,t,r){if(n+2>t)return!1;let i=n+
1;if(e.sCount[i]<e.blkIndent||e.sCount[i]-e.blkIndent>=4)return!1;let o=e.bMarks[i]+e.tShift[i];if(o>=e.eMarks[i])return!1;let s=e.src.charCodeAt(o++);if(s!==124&&
s!==45&&s!==58||o>=e.eMarks[i])return!1;let l=e.src.charCodeAt(o++);if(l!==124&&l!==45&&l!==58&&!S(l)||s===45&&S(l))return!1;for(;o<e.eMarks[i];){let v=e.src.charCodeAt(
o);if(v!==124&&v!==45&&v!==58&&!S(v))return!1;o++}let u=fn(e,n+1),a=u.split("|"),h=[];for(let v=0;v<a.length;v++){let y=a[v].trim();if(!y){if(v===0||v===a.length-
1)continue;return!1}if(!/^:?-+:?$/.test(y))return!1;y.charCodeAt(y.length-1)===58?h.push(y.charCodeAt(0)===58?"center":"right"):y.charCodeAt(0)===58?h.push("lef\
t"):h.push("")}if(u=fn(e,n).trim(),u.indexOf("|")===-1||e.sCount[n]-e.blkIndent>=4)return!1;a=mt(u),a.length&&a[0]===""&&a.shift(),a.length&&a[a.length-1]===""&&
a.pop();let f=a.length;if(f===0||f!==h.length)return!1;if(r)return!0;let m=e.parentType;e.parentType="table";let p=e.md.block.ruler.getRules("blockquote"),d=e.push(
"table_open","table",1),D=[n,0];d.map=D;let w=e.push("thead_open","thead",1);w.map=[n,n+1];let C=e.push("tr_open","tr",1);C.map=[n,n+1];for(let v=0;v<a.length;v++){
let y=e.push("th_open","th",1);h[v]&&(y.attrs=[["style",`text-align:${h[v]}`]]);let b=e.push("inline","",0);b.content=a[v].trim(),b.children=[],e.push("th_close",
"th",-1)}e.push("tr_close","tr",-1),e.push("thead_close","thead",-1);let x,E=0;for(i=n+2;i<t&&!(e.sCount[i]<e.blkIndent);i++){let v=!1;for(let b=0,A=p.length;b<
A;b++)if(p[b](e,i,t,!0)){v=!0;break}if(v||(u=fn(e,i).trim(),!u)||e.sCount[i]-e.blkIndent>=4||(a=mt(u),a.length&&a[0]===""&&a.shift(),a.length&&a[a.length-1]===""&&
a.pop(),E+=f-a.length,E>Bo))break;if(i===n+2){let b=e.push("tbody_open","tbody",1);b.map=x=[n+2,0]}let y=e.push("tr_open","tr",1);y.map=[i,i+1];for(let b=0;b<f;b++){
let A=e.push("td_open","td",1);h[b]&&(A.attrs=[["style",`text-align:${h[b]}`]]);let R=e.push("inline","",0);R.content=a[b]?a[b].trim():"",R.children=[],e.push("\
td_close","td",-1)}e.push("tr_close","tr",-1)}return x&&(e.push("tbody_close","tbody",-1),x[1]=i),e.push("table_close","table",-1),D[1]=i,e.parentType=m,e.line=
i,!0}function Ho(e,n,t){if(e.sCount[n]-e.blkIndent<4)return!1;let r=n+1,i=r;for(;r<t;){if(e.isEmpty(r)){r++;continue}if(e.sCount[r]-e.blkIndent>=4){r++,i=r;continue}
break}e.line=i;let o=e.push("code_block","code",0);return o.content=e.getLines(n,i,4+e.blkIndent,!1)+`
`,o.map=[n,e.line],!0}function jo(e,n,t,r){let i=e.bMarks[n]+e.tShift[n],o=e.eMarks[n];if(e.sCount[n]-e.blkIndent>=4||i+3>o)return!1;let s=e.src.charCodeAt(i);if(s!==
126&&s!==96)return!1;let l=i;i=e.skipChars(i,s);let u=i-l;if(u<3)return!1;let a=e.src.slice(l,i),h=e.src.slice(i,o);if(s===96&&h.indexOf(String.fromCharCode(s))>=
0)return!1;if(r)return!0;let f=n,m=!1;for(;f++,!(f>=t||(i=l=e.bMarks[f]+e.tShift[f],o=e.eMarks[f],i<o&&e.sCount[f]<e.blkIndent));)if(e.src.charCodeAt(i)===s&&!(e.
sCount[f]-e.blkIndent>=4)&&(i=e.skipChars(i,s),!(i-l<u)&&(i=e.skipSpaces(i),!(i<o)))){m=!0;break}u=e.sCount[n],e.line=f+(m?1:0);let p=e.push("fence","code",0);return p.
info=h,p.content=e.getLines(n+1,f,u,!0),p.markup=a,p.map=[n,e.line],!0}function zo(e,n,t,r){let i=e.bMarks[n]+e.tShift[n],o=e.eMarks[n],s=e.lineMax;if(e.sCount[n]-
e.blkIndent>=4||e.src.charCodeAt(i)!==62)return!1;if(r)return!0;let l=[],u=[],a=[],h=[],f=e.md.block.ruler.getRules("blockquote"),m=e.parentType;e.parentType="b\
lockquote";let p=!1,d;for(d=n;d<t;d++){let E=e.sCount[d]<e.blkIndent;if(i=e.bMarks[d]+e.tShift[d],o=e.eMarks[d],i>=o)break;if(e.src.charCodeAt(i++)===62&&!E){let y=e.
sCount[d]+1,b,A;e.src.charCodeAt(i)===32?(i++,y++,A=!1,b=!0):e.src.charCodeAt(i)===9?(b=!0,(e.bsCount[d]+y)%4===3?(i++,y++,A=!1):A=!0):b=!1;let R=y;for(l.push(e.
bMarks[d]),e.bMarks[d]=i;i<o;){let Q=e.src.charCodeAt(i);if(S(Q))Q===9?R+=4-(R+e.bsCount[d]+(A?1:0))%4:R++;else break;i++}p=i>=o,u.push(e.bsCount[d]),e.bsCount[d]=
e.sCount[d]+1+(b?1:0),a.push(e.sCount[d]),e.sCount[d]=R-y,h.push(e.tShift[d]),e.tShift[d]=i-e.bMarks[d];continue}if(p)break;let v=!1;for(let y=0,b=f.length;y<b;y++)
if(f[y](e,d,t,!0)){v=!0;break}if(v){e.lineMax=d,e.blkIndent!==0&&(l.push(e.bMarks[d]),u.push(e.bsCount[d]),h.push(e.tShift[d]),a.push(e.sCount[d]),e.sCount[d]-=
e.blkIndent);break}l.push(e.bMarks[d]),u.push(e.bsCount[d]),h.push(e.tShift[d]),a.push(e.sCount[d]),e.sCount[d]=-1}let D=e.blkIndent;e.blkIndent=0;let w=e.push(
"blockquote_open","blockquote",1);w.markup=">";let C=[n,0];w.map=C,e.md.block.tokenize(e,n,d);let x=e.push("blockquote_close","blockquote",-1);x.markup=">",e.lineMax=
s,e.parentType=m,C[1]=e.line;for(let E=0;E<h.length;E++)e.bMarks[E+n]=l[E],e.tShift[E+n]=h[E],e.sCount[E+n]=a[E],e.bsCount[E+n]=u[E];return e.blkIndent=D,!0}function qo(e,n,t,r){
let i=e.eMarks[n];if(e.sCount[n]-e.blkIndent>=4)return!1;let o=e.bMarks[n]+e.tShift[n],s=e.src.charCodeAt(o++);if(s!==42&&s!==45&&s!==95)return!1;let l=1;for(;o<
i;){let a=e.src.charCodeAt(o++);if(a!==s&&!S(a))return!1;a===s&&l++}if(l<3)return!1;if(r)return!0;e.line=n+1;let u=e.push("hr","hr",0);return u.map=[n,e.line],u.
markup=Array(l+1).join(String.fromCharCode(s)),!0}function gt(e,n){let t=e.eMarks[n],r=e.bMarks[n]+e.tShift[n],i=e.src.charCodeAt(r++);return i!==42&&i!==45&&i!==
43||r<t&&!S(e.src.charCodeAt(r))?-1:r}function kt(e,n){let t=e.bMarks[n]+e.tShift[n],r=e.eMarks[n],i=t;if(i+1>=r)return-1;let o=e.src.charCodeAt(i++);if(o<48||o>
57)return-1;for(;;){if(i>=r)return-1;if(o=e.src.charCodeAt(i++),o>=48&&o<=57){if(i-t>=10)return-1;continue}if(o===41||o===46)break;return-1}return i<r&&(o=e.src.
charCodeAt(i),!S(o))?-1:i}function Uo(e,n){let t=e.level+2;for(let r=n+2,i=e.tokens.length-2;r<i;r++)e.tokens[r].level===t&&e.tokens[r].type==="paragraph_open"&&
(e.tokens[r+2].hidden=!0,e.tokens[r].hidden=!0,r+=2)}function Vo(e,n,t,r){let i,o,s,l,u=n,a=!0;if(e.sCount[u]-e.blkIndent>=4||e.listIndent>=0&&e.sCount[u]-e.listIndent>=
4&&e.sCount[u]<e.blkIndent)return!1;let h=!1;r&&e.parentType==="paragraph"&&e.sCount[u]>=e.blkIndent&&(h=!0);let f,m,p;if((p=kt(e,u))>=0){if(f=!0,s=e.bMarks[u]+
e.tShift[u],m=Number(e.src.slice(s,p-1)),h&&m!==1)return!1}else if((p=gt(e,u))>=0)f=!1;else return!1;if(h&&e.skipSpaces(p)>=e.eMarks[u])return!1;if(r)return!0;let d=e.
src.charCodeAt(p-1),D=e.tokens.length;f?(l=e.push("ordered_list_open","ol",1),m!==1&&(l.attrs=[["start",m]])):l=e.push("bullet_list_open","ul",1);let w=[u,0];l.
map=w,l.markup=String.fromCharCode(d);let C=!1,x=e.md.block.ruler.getRules("list"),E=e.parentType;for(e.parentType="list";u<t;){o=p,i=e.eMarks[u];let v=e.sCount[u]+
p-(e.bMarks[u]+e.tShift[u]),y=v;for(;o<i;){let U=e.src.charCodeAt(o);if(U===9)y+=4-(y+e.bsCount[u])%4;else if(U===32)y++;else break;o++}let b=o,A;b>=i?A=1:A=y-v,
A>4&&(A=1);let R=v+A;l=e.push("list_item_open","li",1),l.markup=String.fromCharCode(d);let Q=[u,0];l.map=Q,f&&(l.info=e.src.slice(s,p-1));let ur=e.tight,ar=e.tShift[u],
cr=e.sCount[u],dr=e.listIndent;if(e.listIndent=e.blkIndent,e.blkIndent=R,e.tight=!0,e.tShift[u]=b-e.bMarks[u],e.sCount[u]=y,b>=i&&e.isEmpty(u+1)?e.line=Math.min(
e.line+2,t):e.md.block.tokenize(e,u,t),(!e.tight||C)&&(a=!1),C=e.line-u>1&&e.isEmpty(e.line-1),e.blkIndent=e.listIndent,e.listIndent=dr,e.tShift[u]=ar,e.sCount[u]=
cr,e.tight=ur,l=e.push("list_item_close","li",-1),l.markup=String.fromCharCode(d),u=e.line,Q[1]=u,u>=t||e.sCount[u]<e.blkIndent||e.sCount[u]-e.blkIndent>=4)break;
let Tn=!1;for(let U=0,hr=x.length;U<hr;U++)if(x[U](e,u,t,!0)){Tn=!0;break}if(Tn)break;if(f){if(p=kt(e,u),p<0)break;s=e.bMarks[u]+e.tShift[u]}else if(p=gt(e,u),p<
0)break;if(d!==e.src.charCodeAt(p-1))break}return f?l=e.push("ordered_list_close","ol",-1):l=e.push("bullet_list_close","ul",-1),l.markup=String.fromCharCode(d),
w[1]=u,e.line=u,e.parentType=E,a&&Uo(e,D),!0}var pn=999;function Wo(e){let n=e.length;for(let t=0;t<e.length-1;t++){let r=e.charCodeAt(t);if(r<55296||r>56319)continue;
let i=e.charCodeAt(t+1);i>=56320&&i<=57343&&(n--,t++)}return n}function te(e,n){return Math.min(e.eMarks[n]+1,e.src.length)}function Re(e,n){let t=e.lineMax;if(n>=
t||e.isEmpty(n))return-1;let r=!1;if(e.sCount[n]-e.blkIndent>3&&(r=!0),e.sCount[n]<0&&(r=!0),!r){let i=e.md.block.ruler.getRules("reference"),o=e.parentType;e.parentType=
"reference";let s=!1;for(let l=0,u=i.length;l<u;l++)if(i[l](e,n,t,!0)){s=!0;break}if(e.parentType=o,s)return-1}return e.bMarks[n]+e.tShift[n]}function Ko(e,n,t,r){
let i=e.src,o=e.bMarks[n]+e.tShift[n],s=n+1;if(e.sCount[n]-e.blkIndent>=4||i.charCodeAt(o)!==91)return!1;let l=te(e,n),u="",a=-1,h=++o;for(;o<l;){if(u.length+o-
h>pn*2)return!1;let b=i.charCodeAt(o);if(b===91)return!1;if(b===93){a=o;break}if(b===92&&(b=i.charCodeAt(++o)),b===10&&o<l){let A=Re(e,s);if(A<0)return!1;u+=i.slice(
h,l),o=h=A,l=te(e,s++);continue}o++}if(a<0||i.charCodeAt(a+1)!==58||(u+=i.slice(h,a),u.length>pn&&Wo(u)>pn))return!1;for(o=a+2;o<l;){let b=i.charCodeAt(o);if(b===
10){let A=Re(e,s);if(A<0)break;o=A,l=te(e,s++)}else if(S(b))o++;else break}let f=e.md.helpers.parseLinkDestination(i,o,l);if(!f.ok)return!1;let m=e.md.normalizeLink(
f.str);if(!e.md.validateLink(m))return!1;o=f.pos;let p=o,d=l,D=s;for(;o<l;){let b=i.charCodeAt(o);if(b===10){let A=Re(e,s);if(A<0)break;o=A,l=te(e,s++)}else if(S(
b))o++;else break}let w=o,C=e.md.helpers.parseLinkTitle(i,o,l);for(;C.can_continue;){let b=Re(e,s);if(b<0)break;o=b,l=te(e,s++),C=e.md.helpers.parseLinkTitle(i,
o,l,C)}let x;for(w!==p&&C.ok?(x=C.str,o=C.pos):(x="",o=p,l=d,s=D);o<l&&S(i.charCodeAt(o));)o++;if(o<l&&i.charCodeAt(o)!==10&&x)for(x="",o=p,l=d,s=D;o<l&&S(i.charCodeAt(
o));)o++;if(o<l&&i.charCodeAt(o)!==10)return!1;let E=Ie(u);if(!E)return!1;if(r)return!0;typeof e.env.references>"u"&&(e.env.references={}),typeof e.env.references[E]>
"u"&&(e.env.references[E]={title:x,href:m});let v=e.push("reference_definition","",0);v.map=[n,s],v.hidden=!0;let y=Object.create(null);return y.label=E,v.meta=
y,e.line=s,!0}var Go=["address","article","aside","base","basefont","blockquote","body","caption","center","col","colgroup","dd","details","dialog","dir","div",
"dl","dt","fieldset","figcaption","figure","footer","form","frame","frameset","h1","h2","h3","h4","h5","h6","head","header","hr","html","iframe","legend","li","\
link","main","menu","menuitem","nav","noframes","ol","optgroup","option","p","param","search","section","summary","table","tbody","td","tfoot","th","thead","tit\
le","tr","track","ul"],Mt=`<[A-Za-z][A-Za-z0-9\\-]*(?:\\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\\s*=\\s*(?:[^"'=<>\`\\x00-\\x20]+|'[^']*'|"[^"]*"))?)*\\s*\\/?>`,Rt="<\\/\
[A-Za-z][A-Za-z0-9\\-]*\\s*>";new RegExp(`^(?:${Mt}|${Rt}|<!---?>|<!--(?:[^-]|-[^-]|--[^>])*-->|<[?][\\s\\S]*?[?]>|<![A-Za-z][^>]*>|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>)`);
var Lt=new RegExp(`^(?:${Mt}|${Rt})`),z=[[/^<(script|pre|style|textarea)(?=(\s|>|$))/i,/<\/(script|pre|style|textarea)>/i,!0],[/^<!--/,/-->/,!0],[/^<\?/,/\?>/,!0],
[/^<![A-Za-z]/,/>/,!0],[/^<!\[CDATA\[/,/\]\]>/,!0],[new RegExp(`^</?(${Go.join("|")})(?=(\\s|/?>|$))`,"i"),/^$/,!0],[new RegExp(`${Lt.source}\\s*$`),/^$/,!1]];function Zo(e,n,t,r){
let i=e.bMarks[n]+e.tShift[n],o=e.eMarks[n];if(e.sCount[n]-e.blkIndent>=4||!e.md.options.html||e.src.charCodeAt(i)!==60)return!1;let s=e.src.slice(i,o),l=0;for(;l<
z.length&&!z[l][0].test(s);l++);if(l===z.length)return!1;if(r)return z[l][2];let u=n+1,a=z[l][1].test("");if(!z[l][1].test(s)){for(;u<t&&!(e.sCount[u]<e.blkIndent&&
(a||!e.isEmpty(u)));u++)if(i=e.bMarks[u]+e.tShift[u],o=e.eMarks[u],s=e.src.slice(i,o),z[l][1].test(s)){s.length!==0&&u++;break}}e.line=u;let h=e.push("html_bloc\
k","",0);return h.map=[n,u],h.content=e.getLines(n,u,e.blkIndent,!0),!0}function Yo(e,n,t,r){let i=e.bMarks[n]+e.tShift[n],o=e.eMarks[n];if(e.sCount[n]-e.blkIndent>=
4)return!1;let s=e.src.charCodeAt(i);if(s!==35||i>=o)return!1;let l=1;for(s=e.src.charCodeAt(++i);s===35&&i<o&&l<=6;)l++,s=e.src.charCodeAt(++i);if(l>6||i<o&&!S(
s))return!1;if(r)return!0;o=e.skipSpacesBack(o,i);let u=e.skipCharsBack(o,35,i);u>i&&S(e.src.charCodeAt(u-1))&&(o=u),e.line=n+1;let a=e.push("heading_open",`h${l}`,
1);a.markup="########".slice(0,l),a.map=[n,e.line];let h=e.push("inline","",0);h.content=$e(e.src.slice(i,o)),h.map=[n,e.line],h.children=[];let f=e.push("headi\
ng_close",`h${l}`,-1);return f.markup="########".slice(0,l),!0}function Xo(e,n,t){let r=e.md.block.ruler.getRules("paragraph");if(e.sCount[n]-e.blkIndent>=4)return!1;
let i=e.parentType;e.parentType="paragraph";let o=0,s,l=n+1;for(;l<t&&!e.isEmpty(l);l++){if(e.sCount[l]-e.blkIndent>3)continue;if(e.sCount[l]>=e.blkIndent){let p=e.
bMarks[l]+e.tShift[l],d=e.eMarks[l];if(p<d&&(s=e.src.charCodeAt(p),(s===45||s===61)&&(p=e.skipChars(p,s),p=e.skipSpaces(p),p>=d))){o=s===61?1:2;break}}if(e.sCount[l]<
0)continue;let m=!1;for(let p=0,d=r.length;p<d;p++)if(r[p](e,l,t,!0)){m=!0;break}if(m)break}if(!o)return e.parentType=i,!1;let u=$e(e.getLines(n,l,e.blkIndent,!1));
e.line=l+1;let a=e.push("heading_open",`h${o}`,1);a.markup=String.fromCharCode(s),a.map=[n,e.line];let h=e.push("inline","",0);h.content=u,h.map=[n,e.line-1],h.
children=[];let f=e.push("heading_close",`h${o}`,-1);return f.markup=String.fromCharCode(s),e.parentType=i,!0}function Qo(e,n,t){let r=e.md.block.ruler.getRules(
"paragraph"),i=e.parentType,o=n+1;for(e.parentType="paragraph";o<t&&!e.isEmpty(o);o++){if(e.sCount[o]-e.blkIndent>3||e.sCount[o]<0)continue;let a=!1;for(let h=0,
f=r.length;h<f;h++)if(r[h](e,o,t,!0)){a=!0;break}if(a)break}let s=$e(e.getLines(n,o,e.blkIndent,!1));e.line=o;let l=e.push("paragraph_open","p",1);l.map=[n,e.line];
let u=e.push("inline","",0);return u.content=s,u.map=[n,e.line],u.children=[],e.push("paragraph_close","p",-1),e.parentType=i,!0}var Le=[["table",No,["paragraph",
"reference"]],["code",Ho],["fence",jo,["paragraph","reference","blockquote","list"]],["blockquote",zo,["paragraph","reference","blockquote","list"]],["hr",qo,["\
paragraph","reference","blockquote","list"]],["list",Vo,["paragraph","reference","blockquote"]],["reference",Ko],["html_block",Zo,["paragraph","reference","bloc\
kquote"]],["heading",Yo,["paragraph","reference","blockquote"]],["lheading",Xo],["paragraph",Qo]],It=class{constructor(){k(this,"ruler",new ue),k(this,"State",Tt);
for(let e=0;e<Le.length;e++)this.ruler.push(Le[e][0],Le[e][1],{alt:(Le[e][2]||[]).slice()})}tokenize(e,n,t){let r=this.ruler.getRules(""),i=r.length,o=e.md.options.
maxNesting,s=n,l=!1;for(;s<t&&(e.line=s=e.skipEmptyLines(s),!(s>=t||e.sCount[s]<e.blkIndent));){if(e.level>=o){e.line=t;break}let u=e.line,a=!1;for(let h=0;h<i;h++)
if(a=r[h](e,s,t,!1),a){if(u>=e.line)throw new Error("block rule didn't increment state.line");break}if(!a)throw new Error("none of the block rules matched");e.tight=
!l,e.isEmpty(e.line-1)&&(l=!0),s=e.line,s<t&&e.isEmpty(s)&&(l=!0,s++,e.line=s)}}parse(e,n,t,r){if(!e)return;let i=new this.State(e,n,t,r);this.tokenize(i,i.line,
i.lineMax)}},$t=class{constructor(e,n,t,r){k(this,"pos",0),k(this,"level",0),k(this,"pending",""),k(this,"pendingLevel",0),k(this,"cache",{}),k(this,"backticks",
{}),k(this,"backticksScanned",!1),k(this,"skipHtmlSpecial",!1),k(this,"linkLevel",0),k(this,"delimiters",[]),k(this,"_prev_delimiters",[]),k(this,"Token",q),this.
src=e,this.env=t,this.md=n,this.tokens=r,this.tokens_meta=Array(r.length),this.posMax=this.src.length}pushPending(){let e=new q("text","",0);return e.content=this.
pending,e.level=this.pendingLevel,this.tokens.push(e),this.pending="",e}push(e,n,t){this.pending&&this.pushPending();let r=new q(e,n,t),i;return t<0&&(this.level--,
this.delimiters=this._prev_delimiters.pop()),r.level=this.level,t>0&&(this.level++,this._prev_delimiters.push(this.delimiters),this.delimiters=[],i={delimiters:this.
delimiters}),this.pendingLevel=this.level,this.tokens.push(r),this.tokens_meta.push(i),r}scanDelims(e,n){let t=this.posMax,r=this.src.charCodeAt(e),i;if(e===0)i=
32;else if(e===1)i=this.src.charCodeAt(0),(i&63488)===55296&&(i=65533);else if(i=this.src.charCodeAt(e-1),(i&64512)===56320){let d=this.src.charCodeAt(e-2);i=(d&
64512)===55296?65536+(d-55296<<10)+(i-56320):65533}else(i&64512)===55296&&(i=65533);let o=e;for(;o<t&&this.src.charCodeAt(o)===r;)o++;let s=o-e,l=o<t?this.src.charCodeAt(
o):32;if((l&64512)===55296){let d=this.src.charCodeAt(o+1);l=(d&64512)===56320?65536+(l-55296<<10)+(d-56320):65533}else(l&64512)===56320&&(l=65533);let u=se(i)||
oe(i),a=se(l)||oe(l),h=ie(i),f=ie(l),m=!f&&(!a||h||u),p=!h&&(!u||f||a);return{can_open:m&&(n||!p||u),can_close:p&&(n||!m||a),length:s}}};function Jo(e){switch(e){case 10:case 33:case 35:case 36:case 37:case 38:case 42:case 43:case 45:case 58:case 60:case 61:case 62:case 64:case 91:case 92:case 93:case 94:case 95:case 96:case 123:case 125:case 126:
return!0;default:return!1}}function es(e,n){let t=e.pos;for(;t<e.posMax&&!Jo(e.src.charCodeAt(t));)t++;return t===e.pos?!1:(n||(e.pending+=e.src.slice(e.pos,t)),
e.pos=t,!0)}function ns(e){return e>=65&&e<=90||e>=97&&e<=122}function ts(e){return e>=65&&e<=90||e>=97&&e<=122||e>=48&&e<=57||e===43||e===45||e===46}function rs(e,n){
if(!e.md.options.linkify||e.linkLevel>0)return!1;let t=e.pos,r=e.posMax;if(t+3>r||e.src.charCodeAt(t)!==58||e.src.charCodeAt(t+1)!==47||e.src.charCodeAt(t+2)!==
47)return!1;let i=t-Math.min(10,e.pending.length,t),o=t;for(;o>i&&ts(e.src.charCodeAt(o-1));)o--;if(o===t||!ns(e.src.charCodeAt(o)))return!1;let s=t-o,l=e.md.linkify.
matchAtStart(e.src.slice(o));if(!l)return!1;let u=l.url;if(u.length<=s)return!1;let a=u.length;for(;a>0&&u.charCodeAt(a-1)===42;)a--;a!==u.length&&(u=u.slice(0,
a));let h=e.md.normalizeLink(u);if(!e.md.validateLink(h))return!1;if(!n){e.pending=e.pending.slice(0,-s);let f=e.push("link_open","a",1);f.attrs=[["href",h]],f.
markup="linkify",f.info="auto";let m=e.push("text","",0);m.content=e.md.normalizeLinkText(u);let p=e.push("link_close","a",-1);p.markup="linkify",p.info="auto"}
return e.pos+=u.length-s,!0}function is(e,n){let t=e.pos;if(e.src.charCodeAt(t)!==10)return!1;let r=e.pending.length-1,i=e.posMax;if(!n)if(r>=0&&e.pending.charCodeAt(
r)===32)if(r>=1&&e.pending.charCodeAt(r-1)===32){let o=r-1;for(;o>=1&&e.pending.charCodeAt(o-1)===32;)o--;e.pending=e.pending.slice(0,o),e.push("hardbreak","br",
0)}else e.pending=e.pending.slice(0,-1),e.push("softbreak","br",0);else e.push("softbreak","br",0);for(t++;t<i&&S(e.src.charCodeAt(t));)t++;return e.pos=t,!0}var bn=[];
for(let e=0;e<256;e++)bn.push(0);"\\!\"#$%&'()*+,./:;<=>?@[]^_`{|}~-".split("").forEach(function(e){bn[e.charCodeAt(0)]=1});function os(e,n){let t=e.pos,r=e.posMax;
if(e.src.charCodeAt(t)!==92||(t++,t>=r))return!1;let i=e.src.charCodeAt(t);if(i===10){for(n||e.push("hardbreak","br",0),t++;t<r&&(i=e.src.charCodeAt(t),!!S(i));)
t++;return e.pos=t,!0}if(i===32){if(!n){let l=e.push("text_special","",0);l.content="\\",l.markup="\\",l.info="escape"}return e.pos=t,!0}let o=e.src[t];if(i>=55296&&
i<=56319&&t+1<r){let l=e.src.charCodeAt(t+1);l>=56320&&l<=57343&&(o+=e.src[t+1],t++)}let s="\\"+o;if(!n){let l=e.push("text_special","",0);i<256&&bn[i]!==0?l.content=
o:l.content=s,l.markup=s,l.info="escape"}return e.pos=t+1,!0}function ss(e){let n={},t=0;for(;(t=e.indexOf("`",t))!==-1;){let r=t;for(;e.charCodeAt(++t)===96;);
n[t-r]=r}return n}function ls(e,n){var t;let r=e.pos;if(e.src.charCodeAt(r)!==96)return!1;let i=e.posMax,o=r+1;for(;o<i&&e.src.charCodeAt(o)===96;)o++;let s=e.src.
slice(r,o),l=s.length;if(e.backticksScanned||(e.backticks=ss(e.src),e.backticksScanned=!0),((t=e.backticks[l])!==null&&t!==void 0?t:-1)>=o){let u=o,a;for(;(a=e.
src.indexOf("`",u))!==-1&&a<i;){for(u=a+1;e.src.charCodeAt(u)===96;)u++;if(u>i)break;if(u-a===l){if(!n){let h=e.push("code_inline","code",0);h.markup=s;let f=e.
src.slice(o,a).replace(/\n/g," ");f.startsWith(" ")&&f.endsWith(" ")&&/[^ ]/.test(f)&&(f=f.slice(1,-1)),h.content=f}return e.pos=u,!0}}}return n||(e.pending+=s),
e.pos=o,!0}function us(e,n){let t=e.pos,r=e.src.charCodeAt(t);if(n||r!==126)return!1;let i=e.scanDelims(e.pos,!0),o=i.length,s=String.fromCharCode(r);if(o<2)return!1;
let l;o%2&&(l=e.push("text","",0),l.content=s,o--);for(let u=0;u<o;u+=2)l=e.push("text","",0),l.content=s+s,e.delimiters.push({marker:r,length:0,token:e.tokens.
length-1,end:-1,open:i.can_open,close:i.can_close});return e.pos+=i.length,!0}function bt(e,n){let t,r=[],i=n.length;for(let o=0;o<i;o++){let s=n[o];if(s.marker!==
126||s.end===-1)continue;let l=n[s.end];t=e.tokens[s.token],t.type="s_open",t.tag="s",t.nesting=1,t.markup="~~",t.content="",t=e.tokens[l.token],t.type="s_close",
t.tag="s",t.nesting=-1,t.markup="~~",t.content="",e.tokens[l.token-1].type==="text"&&e.tokens[l.token-1].content==="~"&&r.push(l.token-1)}for(;r.length;){let o=r.
pop(),s=o+1;for(;s<e.tokens.length&&e.tokens[s].type==="s_close";)s++;s--,o!==s&&(t=e.tokens[s],e.tokens[s]=e.tokens[o],e.tokens[o]=t)}}function as(e){let n=e.tokens_meta,
t=e.tokens_meta.length;bt(e,e.delimiters);for(let i=0;i<t;i++){var r;let o=(r=n[i])===null||r===void 0?void 0:r.delimiters;o&&bt(e,o)}}var Pt={tokenize:us,postProcess:as};
function cs(e,n){let t=e.pos,r=e.src.charCodeAt(t);if(n||r!==95&&r!==42)return!1;let i=e.scanDelims(e.pos,r===42);for(let o=0;o<i.length;o++){let s=e.push("text",
"",0);s.content=String.fromCharCode(r),e.delimiters.push({marker:r,length:i.length,token:e.tokens.length-1,end:-1,open:i.can_open,close:i.can_close})}return e.pos+=
i.length,!0}function Ct(e,n){let t=n.length;for(let r=t-1;r>=0;r--){let i=n[r];if(i.marker!==95&&i.marker!==42||i.end===-1)continue;let o=n[i.end],s=r>0&&n[r-1].
end===i.end+1&&n[r-1].marker===i.marker&&n[r-1].token===i.token-1&&n[i.end+1].token===o.token+1,l=String.fromCharCode(i.marker),u=e.tokens[i.token];u.type=s?"st\
rong_open":"em_open",u.tag=s?"strong":"em",u.nesting=1,u.markup=s?l+l:l,u.content="";let a=e.tokens[o.token];a.type=s?"strong_close":"em_close",a.tag=s?"strong":
"em",a.nesting=-1,a.markup=s?l+l:l,a.content="",s&&(e.tokens[n[r-1].token].content="",e.tokens[n[i.end+1].token].content="",r--)}}function ds(e){let n=e.tokens_meta,
t=e.tokens_meta.length;Ct(e,e.delimiters);for(let i=0;i<t;i++){var r;let o=(r=n[i])===null||r===void 0?void 0:r.delimiters;o&&Ct(e,o)}}var Ot={tokenize:cs,postProcess:ds};
function hs(e,n){let t,r,i,o,s="",l="",u=e.pos,a=!0;if(e.src.charCodeAt(e.pos)!==91)return!1;let h=e.pos,f=e.posMax,m=e.pos+1,p=e.md.helpers.parseLinkLabel(e,e.
pos,!0);if(p<0)return!1;let d=p+1;if(d<f&&e.src.charCodeAt(d)===40){for(a=!1,d++;d<f&&(t=e.src.charCodeAt(d),!(!S(t)&&t!==10));d++);if(d>=f)return!1;if(u=d,i=e.
md.helpers.parseLinkDestination(e.src,d,e.posMax),i.ok){for(s=e.md.normalizeLink(i.str),e.md.validateLink(s)?d=i.pos:s="",u=d;d<f&&(t=e.src.charCodeAt(d),!(!S(t)&&
t!==10));d++);if(i=e.md.helpers.parseLinkTitle(e.src,d,e.posMax),d<f&&u!==d&&i.ok)for(l=i.str,d=i.pos;d<f&&(t=e.src.charCodeAt(d),!(!S(t)&&t!==10));d++);}(d>=f||
e.src.charCodeAt(d)!==41)&&(a=!0),d++}if(a){if(typeof e.env.references>"u")return!1;if(d<f&&e.src.charCodeAt(d)===91?(u=d+1,d=e.md.helpers.parseLinkLabel(e,d),d>=
0?r=e.src.slice(u,d++):d=p+1):d=p+1,r||(r=e.src.slice(m,p)),r=Ie(r),o=e.env.references[r],!o)return e.pos=h,!1;s=o.href,l=o.title}if(!n){e.pos=m,e.posMax=p;let D=e.
push("link_open","a",1),w=[["href",s]];if(D.attrs=w,l&&w.push(["title",l]),r){let C=Object.create(null);C.label=r,D.meta=C}e.linkLevel++,e.md.inline.tokenize(e),
e.linkLevel--,e.push("link_close","a",-1)}return e.pos=d,e.posMax=f,!0}function fs(e,n){let t,r,i,o,s,l,u,a,h="",f=e.pos,m=e.posMax;if(e.src.charCodeAt(e.pos)!==
33||e.src.charCodeAt(e.pos+1)!==91)return!1;let p=e.pos+2,d=e.md.helpers.parseLinkLabel(e,e.pos+1,!1);if(d<0)return!1;if(o=d+1,o<m&&e.src.charCodeAt(o)===40){for(o++;o<
m&&(t=e.src.charCodeAt(o),!(!S(t)&&t!==10));o++);if(o>=m)return!1;for(a=o,l=e.md.helpers.parseLinkDestination(e.src,o,e.posMax),l.ok&&(h=e.md.normalizeLink(l.str),
e.md.validateLink(h)?o=l.pos:h=""),a=o;o<m&&(t=e.src.charCodeAt(o),!(!S(t)&&t!==10));o++);if(l=e.md.helpers.parseLinkTitle(e.src,o,e.posMax),o<m&&a!==o&&l.ok)for(u=
l.str,o=l.pos;o<m&&(t=e.src.charCodeAt(o),!(!S(t)&&t!==10));o++);else u="";if(o>=m||e.src.charCodeAt(o)!==41)return e.pos=f,!1;o++}else{if(typeof e.env.references>
"u")return!1;if(o<m&&e.src.charCodeAt(o)===91?(a=o+1,o=e.md.helpers.parseLinkLabel(e,o),o>=0?i=e.src.slice(a,o++):o=d+1):o=d+1,i||(i=e.src.slice(p,d)),i=Ie(i),s=
e.env.references[i],!s)return e.pos=f,!1;h=s.href,u=s.title}if(!n){r=e.src.slice(p,d);let D=[];e.md.inline.parse(r,e.md,e.env,D);let w=e.push("image","img",0),C=[
["src",h],["alt",""]];if(w.attrs=C,w.children=D,w.content=r,u&&C.push(["title",u]),i){let x=Object.create(null);x.label=i,w.meta=x}}return e.pos=o,e.posMax=m,!0}
var ps=/^([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)$/,ms=/^([a-zA-Z][a-zA-Z0-9+.-]{1,31}):([^<>\x00-\x20]*)$/;
function gs(e,n){let t=e.pos;if(e.src.charCodeAt(t)!==60)return!1;let r=e.pos,i=e.posMax;for(;;){if(++t>=i)return!1;let s=e.src.charCodeAt(t);if(s===60)return!1;
if(s===62)break}let o=e.src.slice(r+1,t);if(ms.test(o)){let s=e.md.normalizeLink(o);if(!e.md.validateLink(s))return!1;if(!n){let l=e.push("link_open","a",1);l.attrs=
[["href",s]],l.markup="autolink",l.info="auto";let u=e.push("text","",0);u.content=e.md.normalizeLinkText(o);let a=e.push("link_close","a",-1);a.markup="autolin\
k",a.info="auto"}return e.pos+=o.length+2,!0}if(ps.test(o)){let s=e.md.normalizeLink(`mailto:${o}`);if(!e.md.validateLink(s))return!1;if(!n){let l=e.push("link_\
open","a",1);l.attrs=[["href",s]],l.markup="autolink",l.info="auto";let u=e.push("text","",0);u.content=e.md.normalizeLinkText(o);let a=e.push("link_close","a",
-1);a.markup="autolink",a.info="auto"}return e.pos+=o.length+2,!0}return!1}function ks(e){return/^<a[>\s]/i.test(e)}function bs(e){return/^<\/a\s*>/i.test(e)}function Bt(e){
let n=e|32;return n>=97&&n<=122}function Cs(e,n){let t=e.src,r,i;if(t.startsWith("<!--",n)){if(t.startsWith(">",n+4))return n+5;if(t.startsWith("->",n+4))return n+
6;r=n+4,i="-->"}else if(t.startsWith("<![CDATA[",n))r=n+9,i="]]>";else if(t.charCodeAt(n+1)===63)r=n+2,i="?>";else if(Bt(t.charCodeAt(n+2)))r=n+3,i=">";else return-1;
if(e.skipHtmlSpecial)return-1;let o=t.indexOf(i,r);return o<0?(e.skipHtmlSpecial=!0,-1):o+i.length}function vs(e,n){if(!e.md.options.html)return!1;let t=e.posMax,
r=e.pos;if(e.src.charCodeAt(r)!==60||r+2>=t)return!1;let i,o=e.src.charCodeAt(r+1);if(o===33||o===63)i=Cs(e,r);else if(o===47||Bt(o)){let s=e.src.slice(r).match(
Lt);i=s?r+s[0].length:-1}else return!1;if(i<0)return!1;if(!n){let s=e.push("html_inline","",0);s.content=e.src.slice(r,i),ks(s.content)&&e.linkLevel++,bs(s.content)&&
e.linkLevel--}return e.pos=i,!0}var ys=/^&#((?:x[a-f0-9]{1,6}|[0-9]{1,7}));/i,Es=/^&([a-z][a-z0-9]{1,31});/i;function Ds(e,n){let t=e.pos,r=e.posMax;if(e.src.charCodeAt(
t)!==38||t+1>=r)return!1;if(e.src.charCodeAt(t+1)===35){let i=e.src.slice(t).match(ys);if(i){if(!n){let o=i[1][0].toLowerCase()==="x"?parseInt(i[1].slice(1),16):
parseInt(i[1],10),s=e.push("text_special","",0);s.content=kn(o)?re(o):re(65533),s.markup=i[0],s.info="entity"}return e.pos+=i[0].length,!0}}else{let i=e.src.slice(
t).match(Es);if(i){let o=ne(i[0]);if(o!==i[0]){if(!n){let s=e.push("text_special","",0);s.content=o,s.markup=i[0],s.info="entity"}return e.pos+=i[0].length,!0}}}
return!1}function vt(e){let n={},t=e.length;if(!t)return;let r=0,i=-2,o=[];for(let s=0;s<t;s++){let l=e[s];if(o.push(0),(e[r].marker!==l.marker||i!==l.token-1)&&
(r=s),i=l.token,l.length=l.length||0,!l.close)continue;n.hasOwnProperty(l.marker)||(n[l.marker]=[-1,-1,-1,-1,-1,-1]);let u=n[l.marker][(l.open?3:0)+l.length%3],
a=r-o[r]-1,h=a;for(;a>u;a-=o[a]+1){let f=e[a];if(f.marker===l.marker&&f.open&&f.end<0){let m=!1;if((f.close||l.open)&&(f.length+l.length)%3===0&&(f.length%3!==0||
l.length%3!==0)&&(m=!0),!m){let p=a>0&&!e[a-1].open?o[a-1]+1:0;o[s]=s-a+p,o[a]=p,l.open=!1,f.end=s,f.close=!1,h=-1,i=-2;break}}}h!==-1&&(n[l.marker][(l.open?3:0)+
(l.length||0)%3]=h)}}function ws(e){let n=e.tokens_meta,t=e.tokens_meta.length;vt(e.delimiters);for(let i=0;i<t;i++){var r;let o=(r=n[i])===null||r===void 0?void 0:
r.delimiters;o&&vt(o)}}function xs(e){let n,t,r=0,i=e.tokens,o=e.tokens.length;for(n=t=0;n<o;n++)i[n].nesting<0&&r--,i[n].level=r,i[n].nesting>0&&r++,i[n].type===
"text"&&n+1<o&&i[n+1].type==="text"?i[n+1].content=i[n].content+i[n+1].content:(n!==t&&(i[t]=i[n]),t++);n!==t&&(i.length=t)}var mn=[["text",es],["linkify",rs],[
"newline",is],["escape",os],["backticks",ls],["strikethrough",Pt.tokenize],["emphasis",Ot.tokenize],["link",hs],["image",fs],["autolink",gs],["html_inline",vs],
["entity",Ds]],gn=[["balance_pairs",ws],["strikethrough",Pt.postProcess],["emphasis",Ot.postProcess],["fragments_join",xs]],Nt=class{constructor(){k(this,"ruler",
new ue),k(this,"ruler2",new ue),k(this,"State",$t);for(let e=0;e<mn.length;e++)this.ruler.push(mn[e][0],mn[e][1]);for(let e=0;e<gn.length;e++)this.ruler2.push(gn[e][0],
gn[e][1])}skipToken(e){let n=e.pos,t=this.ruler.getRules(""),r=t.length,i=e.md.options.maxNesting,o=e.cache;if(typeof o[n]<"u"){e.pos=o[n];return}let s=!1;if(e.
level<i){for(let l=0;l<r;l++)if(e.level++,s=t[l](e,!0),e.level--,s){if(n>=e.pos)throw new Error("inline rule didn't increment state.pos");break}}else e.pos=e.posMax;
s||e.pos++,o[n]=e.pos}tokenize(e){let n=this.ruler.getRules(""),t=n.length,r=e.posMax,i=e.md.options.maxNesting;for(;e.pos<r;){let o=e.pos,s=!1;if(e.level<i){for(let l=0;l<
t;l++)if(s=n[l](e,!1),s){if(o>=e.pos)throw new Error("inline rule didn't increment state.pos");break}}if(s){if(e.pos>=r)break;continue}e.pending+=e.src[e.pos++]}
e.pending&&e.pushPending()}parse(e,n,t,r){let i=new this.State(e,n,t,r);this.tokenize(i);let o=this.ruler2.getRules(""),s=o.length;for(let l=0;l<s;l++)o[l](i)}},
As={default:{options:{html:!1,xhtmlOut:!1,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\u201C\u201D\u2018\u2019",highlight:null,maxNesting:100},
components:{core:{},block:{},inline:{}}},zero:{options:{html:!1,xhtmlOut:!1,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\u201C\u201D\u2018\u2019",
highlight:null,maxNesting:20},components:{core:{rules:["normalize","block","strip_references","inline","text_join"]},block:{rules:["paragraph"]},inline:{rules:[
"text"],rules2:["balance_pairs","fragments_join"]}}},commonmark:{options:{html:!0,xhtmlOut:!0,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\
\u201C\u201D\u2018\u2019",highlight:null,maxNesting:20},components:{core:{rules:["normalize","block","strip_references","inline","text_join"]},block:{rules:["bl\
ockquote","code","fence","heading","hr","html_block","lheading","list","reference","paragraph"]},inline:{rules:["autolink","backticks","emphasis","entity","esca\
pe","html_inline","image","link","newline","text"],rules2:["balance_pairs","emphasis","fragments_join"]}}}},Fs=/^(vbscript|javascript|file|data):/,Ss=/^data:image\/(gif|png|jpeg|webp);/,
yt=["http:","https:","mailto:"],O=class{validateLink(e){let n=e.trim().toLowerCase();return Fs.test(n)?Ss.test(n):!0}normalizeLink(e){let n=ee(e,!0);if(n.hostname&&
(!n.protocol||yt.indexOf(n.protocol)>=0))try{n.hostname=dn.toASCII(n.hostname)}catch{}return n.auth&&(n.auth=N(n.auth)),n.hostname&&(n.hostname=N(n.hostname)),n.
pathname&&(n.pathname=N(n.pathname)),n.search&&(n.search=N(n.search)),n.hash&&(n.hash=N(n.hash)),Y(n)}normalizeLinkText(e){let n=ee(e,!0);if(n.hostname&&(!n.protocol||
yt.indexOf(n.protocol)>=0))try{n.hostname=dn.toUnicode(n.hostname)}catch{}return J(Y(n),J.defaultChars+"%")}constructor(...e){k(this,"inline",new Nt),k(this,"bl\
ock",new It),k(this,"core",new _t),k(this,"renderer",new At),k(this,"linkify",new Te),k(this,"utils",Zi),k(this,"helpers",Object.assign({},ho));let[n,t]=e;typeof n==
"string"?(this.configure(n),t&&this.set(t)):(this.configure("default"),this.set(n||{}))}set(e){return Object.assign(this.options,e),this}configure(e){let n;if(typeof e==
"string"){let i=e;if(n=As[i],!n)throw new Error(`Wrong 'markdown-it' preset "${i}", check name`)}else n=e;if(!n)throw new Error("Wrong `markdown-it` preset, can\
't be empty");n.options&&(this.options={...n.options});let t=n.components;if(t){var r;["core","block","inline"].forEach(o=>{var s;let l=(s=t[o])===null||s===void 0?
void 0:s.rules;l&&this[o].ruler.enableOnly(l)});let i=(r=t.inline)===null||r===void 0?void 0:r.rules2;i&&this.inline.ruler2.enableOnly(i)}return this}enable(e,n=!1){
let t=[];Array.isArray(e)||(e=[e]),["core","block","inline"].forEach(i=>{t=t.concat(this[i].ruler.enable(e,!0))}),t=t.concat(this.inline.ruler2.enable(e,!0));let r=e.
filter(i=>t.indexOf(i)<0);if(r.length&&!n)throw new Error(`MarkdownIt. Failed to enable unknown rule(s): ${r}`);return this}disable(e,n=!1){let t=[];Array.isArray(
e)||(e=[e]),["core","block","inline"].forEach(i=>{t=t.concat(this[i].ruler.disable(e,!0))}),t=t.concat(this.inline.ruler2.disable(e,!0));let r=e.filter(i=>t.indexOf(
i)<0);if(r.length&&!n)throw new Error(`MarkdownIt. Failed to disable unknown rule(s): ${r}`);return this}use(e,...n){return e.apply(e,[this,...n]),this}parse(e,n){
if(typeof e!="string")throw new Error("Input data should be a String");let t=new this.core.State(e,this,n);return this.core.process(t),t.tokens}render(e,n={}){return this.
renderer.render(this.parse(e,n),this.options,n)}parseInline(e,n){let t=new this.core.State(e,this,n);return t.inlineMode=!0,this.core.process(t),t.tokens}renderInline(e,n={}){
return this.renderer.render(this.parseInline(e,n),this.options,n)}};k(O,"Token",q);k(O,"Ruler",ue);k(O,"Renderer",At);k(O,"ParserCore",_t);k(O,"StateCore",Ft);k(
O,"ParserBlock",It);k(O,"StateBlock",Tt);k(O,"ParserInline",Nt);k(O,"StateInline",$t);var Ht=Dt(O);var _s="blockquote code emphasis escape fence heading hr image link list newline strikethrough table backticks".split(" "),Cn=20,jt=1e5,vn=new Ht("zero",{maxNesting:2*
Cn}).enable(_s);vn.normalizeLink=e=>e;vn.validateLink=()=>!0;var Ts={paragraph:["p","paragraph"],heading:["h5","heading"],blockquote:["blockquote","quoted"],bullet_list:[
"ul","list"],ordered_list:["ol","list"],list_item:["li",""],table:["table","table"],thead:["thead",""],tbody:["tbody",""],tr:["tr",""],th:["th",""],td:["td",""],
strong:["strong",""],em:["em",""],s:["s",""],link:["span","address"]},ae=class{constructor(n){this.el=n;n.hidden=!0,this.following=new j(n)}el;shown="";done=0;blocks=0;following;set(n){
if(n===this.shown)return;let t=n.replace(/\r\n?/g,`
`);t.startsWith(this.shown.slice(0,this.done))||([this.done,this.blocks]=[0,0]);let{nodes:r,last:i}=Ms(t.slice(this.done));Ut(this.el,this.blocks,r),this.blocks+=
Math.max(0,r.length-1),this.done+=i,this.shown=t,this.el.hidden=t==="",this.following.grown()}};function Ms(e){let n=e.length>jt?[]:vn.parse(e,{});if(e.length>jt||
n.some(({level:i})=>i>Cn))return{nodes:[Rs(e)],last:0};let t=n.findLast(({level:i,nesting:o})=>i===0&&o>=0)?.map?.[0]??0,r=document.createDocumentFragment();return zt(
n,r),{nodes:[...r.childNodes],last:e.split(`
`,t).reduce((i,{length:o})=>i+o+1,0)}}function Rs(e){return c("p","paragraph as-it-is",g(e))}function zt(e,n){let t=[n],r=[];for(let i of e){let o=t.at(-1);/^(em|strong)_/.
test(i.type)&&i.markup.startsWith("_")?o.appendChild(document.createTextNode(i.markup)):i.nesting<0?(i.type==="link_close"&&o.appendChild(qt(r.pop()??"")),i.hidden||
t.pop()):i.type==="inline"?zt(i.children??[],o):i.nesting===0?o.appendChild(Is(i)):i.hidden||(i.type==="link_open"&&r.push(String(i.attrGet("href")??"")),t.push(
t.length>Cn?o:o.appendChild(Ls(i))))}}function Ls(e){let[n,t]=Ts[e.type.replace(/_open$/,"")]??["span",""],r=c(n,e.attrGet("style")==="text-align:right"?"numeri\
c":t),i=e.type==="ordered_list_open"?e.attrGet("start"):null;return i!==null&&r.setAttribute("start",String(i)),r}function Is(e){switch(e.type){case"code_inline":
return c("code","",g(e.content));case"fence":case"code_block":return c("pre","sample",c("code","",g(e.content.replace(/\n$/,""))));case"hr":return c("hr","rule");case"\
softbreak":case"hardbreak":return c("br","");case"image":return c("span","address",`Image: ${g(e.content)}`,qt(String(e.attrGet("src")??"")));default:return document.
createTextNode(g(e.content))}}function qt(e){return document.createTextNode(e===""?"":` (${g(e)})`)}function Ut(e,n,t){let r=n===0?e.firstChild:e.childNodes[n]??
null;for(let i of t){let o=r?.nextSibling??null;r===null?e.appendChild(i):$s(r,i)||e.replaceChild(i,r),r=o}for(;r!==null;){let i=r.nextSibling;e.removeChild(r),
r=i}}function $s(e,n){return e instanceof Text&&n instanceof Text?(n.data.startsWith(e.data)?n.length>e.length&&e.appendData(n.data.slice(e.length)):e.data=n.data,
!0):e.cloneNode(!1).isEqualNode(n.cloneNode(!1))?(Ut(e,0,[...n.childNodes]),!0):!1}var Pe=["image/png","image/jpeg","image/gif","image/webp"];function ce(e,n){if(n.length>7e6)return"larger than 5 MB";if(n===""||!/^[A-Za-z0-9+/=\s]+$/.test(n))return"not base64";let t=Ps(e,n);return t===null?`not what i\
t claims to be, ${e}`:t[0]*t[1]>4e7?`${t[0]} by ${t[1]} pixels`:""}function Ps(e,n){let t=Os(n),r=t===null?null:Bs[e]?.(t)??null;return r!==null&&r[0]>0&&r[1]>0?
r:null}function Os(e){let n=e.slice(0,4e5).replace(/\s/g,"");try{let t=atob(n.slice(0,n.length-n.length%4));return new DataView(Uint8Array.from(t,r=>r.charCodeAt(
0)).buffer)}catch{return null}}var Bs={"image/png":Ns,"image/gif":Hs,"image/jpeg":js,"image/webp":zs};function $(e,n,t){return e.byteLength>=n+t.length&&[...t].
every((r,i)=>e.getUint8(n+i)===r.charCodeAt(0))}function Ns(e){return e.byteLength<24||!$(e,0,`\x89PNG\r

`)||!$(e,12,"IHDR")?null:[e.getUint32(16),e.getUint32(20)]}function Hs(e){return e.byteLength<10||!($(e,0,"GIF87a")||$(e,0,"GIF89a"))?null:[e.getUint16(6,!0),e.
getUint16(8,!0)]}function js(e){if(!$(e,0,"\xFF\xD8"))return null;let n=2;for(;n+9<=e.byteLength&&e.getUint8(n)===255;){let t=e.getUint8(n+1);if(t===255)n+=1;else{
if(t>=192&&t<=207&&![196,200,204].includes(t))return[e.getUint16(n+7),e.getUint16(n+5)];n+=2+Math.max(e.getUint16(n+2),2)}}return null}function zs(e){if(e.byteLength<
30||!$(e,0,"RIFF")||!$(e,8,"WEBP"))return null;if($(e,12,"VP8 ")&&$(e,23,"\x9D*"))return[e.getUint16(26,!0)&16383,e.getUint16(28,!0)&16383];if($(e,12,"VP8L")&&
e.getUint8(20)===47){let n=e.getUint32(21,!0);return[(n&16383)+1,(n>>>14&16383)+1]}return $(e,12,"VP8X")?[Vt(e,24)+1,Vt(e,27)+1]:null}function Vt(e,n){return e.
getUint16(n,!0)+e.getUint8(n+2)*65536}var qs="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",Us="html{background:#fff;color:#1f2328;font:13px/1.5 \
system-ui,sans-serif;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right}img{max-width:100%}",Kt=1e6,Vs=2e4,Ws=100,Ks=new Set(
"A ABBR ARTICLE B BLOCKQUOTE BR CAPTION CODE COL COLGROUP DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR I IMG INS KBD LI MAIN\
 MARK OL P PRE Q S SAMP SECTION SMALL SPAN STRONG STYLE SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TIME TR U UL VAR".split(" ")),Gs=new Set("SCRIPT TEMPLATE \
NOSCRIPT IFRAME OBJECT EMBED APPLET FRAME FRAMESET PORTAL TITLE TEXTAREA SELECT SVG MATH".split(" ")),Zs=new Set("align alt class colspan dir height id lang ope\
n rowspan scope span start style title valign width".split(" ")),Ys=/^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;function Gt(e,n,t){let r=e!==
void 0?Js(e):n!==void 0?nl(n):"";if(r==="")return null;let i=e!==void 0?"HTML":"SVG",o=L(`As ${i}, without scripts and network`),s=()=>{o.open&&o.querySelector(
"iframe")===null&&o.append(Xs(r,i))};return o.addEventListener("toggle",s),o.open=t,s(),o}function Xs(e,n){let t=c("iframe","frame");return t.setAttribute("sand\
box",""),t.setAttribute("referrerpolicy","no-referrer"),t.setAttribute("allow",""),t.title=`${n} that the code made`,t.style.height=`${Qs(e)}em`,t.srcdoc=`<!doc\
type html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${qs}"><style>${Us}</style><body>${e}`,t}function Qs(e){let n=e.match(/<(?:tr|p|h\d|li|br|pre|div|dt|dd)\b|\n/g)?.
length??0;return Math.min(30,4+1.8*n+(e.includes("<img")?20:0))}function Js(e){if(e.length>Kt)return"";let n=new DOMParser().parseFromString(e,"text/html"),t=document.
implementation.createHTMLDocument(""),r={nodes:Vs};for(let i of[n.head,n.body])Zt(t.body,i,r,0);return t.body.textContent?.trim()===""&&t.body.querySelector("im\
g, hr")===null?"":t.body.innerHTML}function Zt(e,n,t,r){if(!(r>Ws))for(let i of n.childNodes){if(t.nodes--<=0)return;if(i.nodeType===Node.TEXT_NODE&&e.append(i.
nodeValue??""),!(i instanceof Element))continue;let o=i.tagName.toUpperCase();if(Gs.has(o))continue;let s=Ks.has(o)?el(e.ownerDocument,i,o):e;s!==null&&(s!==e&&
e.append(s),Zt(s,i,t,r+1))}}function el(e,n,t){let r=e.createElement(t);for(let{name:o,value:s}of n.attributes)Zs.has(o)&&!(o==="style"&&/position|url\s*\(|\\/i.
test(s))&&r.setAttribute(o,s);if(t!=="IMG")return r;let i=Ys.exec(n.getAttribute("src")??"");return i===null||ce(i[1],i[2])!==""?null:(r.setAttribute("src",i[0]),
r)}function nl(e){if(e.length>Kt||/<!ENTITY|<!DOCTYPE[^>]*\[|<(?:\w+:)?(?:fe)?image\b/i.test(e)||tl(e))return"";let n=new TextEncoder().encode(e),t=Array.from(n,
r=>String.fromCharCode(r)).join("");return`<img alt="" src="data:image/svg+xml;base64,${btoa(t)}">`}function tl(e){let n=new DOMParser().parseFromString(e,"imag\
e/svg+xml");if(n.querySelector("parsererror")!==null)return!0;let t=[...n.querySelectorAll("*")];if(t.some(s=>s.localName==="style"&&(s.textContent??"").includes(
"url(")))return!0;let r=t.filter(s=>s.localName==="use"),i=new Set(r.flatMap(s=>[...s.attributes].filter(({localName:l})=>l==="href").map(({value:l})=>l.replace(
/^#/,""))));return r.some(s=>Wt(s,({id:l})=>i.has(l)))?!0:t.filter(s=>[...s.attributes].some(({value:l})=>l.includes("url("))).some(s=>Wt(s,({localName:l})=>rl.
has(l)))}var rl=new Set(["pattern","marker","mask","clipPath"]);function Wt(e,n){for(let t=e;t!==null;t=t.parentElement)if(n(t))return!0;return!1}function Xt(e,n){let t=e.is_final_answer&&e.error===null,r=t||ll(e)?"":e.result,i=t?e.outputs.filter(o=>er(o)!==void 0||!Jt(o,e.result)):e.outputs;return[...ul(
e).map(o=>c("p","note",o)),...i.flatMap(o=>al(o)),r!==""&&gl("Result",Oe("result",g(r))),e.error!==null&&pl(e.error,n),e.changed.length>0&&il(e.changed),e.files.
length>0&&sl(e.files)]}function il(e){return e.length<=ol?c("p","changed","Wrote ",...Yt(e)):L(`Wrote ${T(e.length,"name")}`,c("p","changed",...Yt(e)))}var ol=20;
function sl(e){let n=c("span","quiet"," \xB7 keep with: %agent files keep NAME");return c("p","files",`Files written: ${pe(e)}`,n)}function Qt(){return Oe("prin\
ted","")}function ll(e){return e.outputs.some(n=>Jt(n,e.result))}function Jt(e,n){return e.data["text/plain"]===n}function er(e){return Pe.find(n=>e.data[n]!==void 0&&
ce(n,e.data[n])==="")}function ul(e){let n=[];return e.dropped>0&&n.push(`${T(e.dropped,"character")} of output left out.`),e.state_lost&&n.push("The sandbox wa\
s restarted: variables of earlier steps are gone."),n}function al(e){let n=er(e),{[G]:t,"text/plain":r,"text/html":i,"image/svg+xml":o}=e.data;if(n!==void 0)return[
fl(n,e.data[n],r??"")];let s=t===void 0?null:Ce(t);if(s!==null)return[s];let l=r!==void 0&&!/^<.*>$/s.test(r.trim()),u=Gt(i,o,!l),a=[...dl(e),r!==void 0&&(l||u===
null)&&Oe("result",g(r)),u];if(a.some(f=>f))return a;let h=[...Object.keys(e.data).filter(f=>f!==nr),...Object.keys(tr(e))];return[c("p","note",`Not shown: ${g(
h.join(", "))||"an empty output"}`)]}var nr="application/vnd.smolcell.refused+json",cl=[...Pe,"image/svg+xml","text/html",G];function dl(e){return[...Pe.map(r=>[
r,e.data[r]===void 0?"":ce(r,e.data[r])]),...Object.entries(tr(e)).filter(([r])=>cl.includes(r))].filter(([,r])=>r!=="").map(([r,i])=>c("p","note",`${hl[r]??"An\
 image"} is not shown: ${g(String(i))}.`))}var hl={"text/html":"HTML","image/svg+xml":"An SVG image",[G]:"A table"};function tr(e){try{let n=JSON.parse(e.data[nr]??
"{}");return typeof n=="object"&&n!==null?{...n}:{}}catch{return{}}}function fl(e,n,t){let r=c("img","image");return r.alt=g(t).slice(0,200)||"An image the code\
 made",r.src=`data:${e};base64,${n.replace(/\s/g,"")}`,r}function pl(e,n){let t=e.line>0?n.split(`
`)[e.line-1]:void 0,r=new Z(Oe("traceback",""));return r.set(e.traceback),c("div","fault",c("p","fault-title",c("strong","",g(e.type)||"Error"),e.message===""?null:
`: ${g(e.message)}`),c("p","fault-kind",ml[e.kind]??""),t!==void 0&&c("div","fault-line",c("span","",`line ${e.line}`),c("code","",g(t).trim())),e.traceback!==""&&
r.el)}var ml={forbidden:"The guard refused this; it is not allowed in the sandbox.",limit:"A limit ended this step.",sandbox:"The sandbox ended.",stopped:"Stopp\
ed by a person."};function gl(e,n){return n.setAttribute("aria-label",e),n}function Oe(e,n){let t=c("pre",e,n);return t.tabIndex=0,t.setAttribute("role","group"),
t.setAttribute("aria-label",e==="printed"?"Printed output":"Output"),t}function Yt(e){return e.flatMap((n,t)=>[t>0?", ":null,c("code","",g(n))])}var kl={thinking:"thinking",pending:"waiting",allowed:"running",running:"running",done:"done",refused:"refused",unparsed:"no code",cut:"cut short"},bl={person:"\
you",policy:"the policy",auto:"auto-approval",remembered:"your earlier approval",caller:"the caller",deny:"the deny setting",nobody:"nobody: there was no one to\
 ask"},Be=class{constructor(n,t){this.desk=n;this.runs=t;this.el=c("section","step",c("div","step-head",c("h4","step-title",this.toggle),this.facts),this.reasoningFold,
this.thought.el,this.draft.el,this.code.el,this.decision.el,this.place,this.tools.el,this.runs.el,this.printed.el,this.seen.el),this.collapse(!1)}desk;runs;el;controls=null;drawn=null;toggle=F(
"","step-toggle",()=>this.collapse(this.el.dataset.collapsed!=="true"));facts=c("div","step-facts");reasoningText=c("div","reasoning");reasoning=new ae(this.reasoningText);reasoningFold=L(
"Reasoning",this.reasoningText);thought=new ae(c("div","thought"));draft=new he(c("pre","draft"));code=new _(c("div","part"));decision=new _(c("div","decision"));place=c(
"div","place");printed=new Z(Qt());tools=new _(c("div","part"));seen=new _(c("div","part"));head=new _(this.facts);update(n,t,r){n!==this.drawn&&this.drawParts(
n),this.drawn=n,this.drawControls(n,t!==null&&t.fingerprint===n.fingerprint?t:null),this.runs.update(n.runs,r),this.waiting()!==void 0&&this.el.dataset.collapsed===
"true"&&this.collapse(!1)}shows(n){return n===this.drawn&&this.controls===null&&n.runs.length===0}waiting(){return this.controls===null?this.runs.waiting():this}get step(){
return this.drawn}collapse(n){this.el.dataset.collapsed=String(n&&this.waiting()===void 0),this.toggle.setAttribute("aria-expanded",String(this.el.dataset.collapsed===
"false"))}take(n){this.controls?.take(n)}drawParts(n){this.el.setAttribute("aria-label",ir(n)),this.el.dataset.call=String(n.call),this.el.dataset.status=En(n)?
"failed":n.status,this.el.dataset.step=String(n.n),this.toggle.textContent!==rr(n)&&(this.toggle.textContent=rr(n)),this.head.draw([n.status,n.usage,n.observation,
n.kind],()=>Cl(n)),this.reasoning.set(n.reasoning.trim()),this.reasoningFold.hidden=n.reasoning==="";let[t,r]=n.reply===""?[n.thought,""]:Sl(n.reply);this.thought.
set(t.trim()),this.draft.set(g(r)),this.code.draw([n.code,n.kind,n.findings,n.edited,n.observation===null,Dn(n)],()=>yl(n)),this.decision.draw([n.status,n.by,n.
scope,n.comment,n.reason],()=>Fl(n)),this.tools.draw([n.tools],()=>wl(n.tools)),this.printed.set(n.observation===null?n.output:n.observation.stdout),this.seen.draw(
[n.observation],()=>n.observation===null?[]:Xt(n.observation,n.edited??n.code))}drawControls(n,t){let r=t!==null&&n.status==="pending"?t:null;if(r?.fingerprint!==
this.controls?.pending.fingerprint){if(this.controls?.close(),this.controls=null,this.showCode(!0),r!==null){let i=[...this.code.el.querySelectorAll(".smolcell-\
line")];this.controls=new Ae(this.desk,n,r,i,o=>this.showCode(o!=="edit"))}this.collapse(!1),this.place.replaceChildren(...this.controls===null?[]:[this.controls.
el])}}showCode(n){let t=this.code.el.querySelector(":scope > .smolcell-code");t!==null&&(t.hidden=!n)}};function En(e){return e.observation?.error!=null}function Dn(e){
return e.observation?.error?.line??0}function Cl(e){let n=c("span",`status ${En(e)?"failed":e.status}`,En(e)?"error":kl[e.status]),t=e.observation===null?"":`ra\
n ${I(e.observation.duration)}`,r=e.duration>0?`model ${I(e.duration)}`:"",i=B(r,t,e.usage===null?"":V(e.usage),e.usage===null?"":W(e.usage));return[n,c("span",
"figures",i)]}function ir({n:e,call:n}){return n===0?`Step ${e}`:`Step ${e}, call ${n}`}var vl={code:"",call:": a tool call",plan:": a plan",budget:": the budge\
t is spent",question:": a question to you"};function rr(e){return ir(e)+(e.kind==="call"&&e.call===0?"":vl[e.kind])}function yl(e){if(e.code==="")return[];let n=e.
observation===null?e.findings:e.findings.filter(({kind:t})=>t!=="name");return e.edited===null?[De(e.code,e.kind,n,Dn(e)),rn(n)]:[c("p","note","Edited by you. T\
his ran:"),De(e.edited,e.kind,[],Dn(e)),El(e.code,e.edited),L("What the model proposed",De(e.code,e.kind,n),rn(n))]}function El(e,n){let t=nt(e,n),r=L("What you\
 changed",tt(t));return r.open=t.filter(({sign:i})=>i!==" ").length<=Dl,r}var Dl=20;function wl(e){if(e.length===0)return[];let n=e.reduce((r,{times:i})=>r+i,0),
t=L(`Tools called: ${n}`,c("ul","calls",...e.map(Al)));return t.open=e.length<=xl||e.some(({error:r})=>r!==""),[t]}var xl=5;function Al({text:e,result:n,error:t,
duration:r,times:i}){let o=t===""?c("code","quiet",g(n)):c("span","fault-title",g(t)),s=B(i>1?`${i} times, such as this`:"",I(r)),l=n===""&&t===""?"":" \u2192 ";
return c("li","call",c("code","",g(e)),l,o,c("span","figures",` \xB7 ${s}`))}function Fl(e){let n=bl[e.by]??g(e.by);if(e.status==="unparsed")return[c("p","note",
"The reply held no program. The model was told: ",yn(e.reason))];if(e.status==="refused")return[c("p","note",`Refused by ${n}`,e.reason===""?".":": ",yn(e.reason))];
if(e.by==="")return[];let t=e.kind==="question"?"Answered":"Approved",r=e.scope==="run"?", with the rest of this run":e.scope==="kind"?", with others of its kin\
d in this session":"";return[c("p","quiet",`${t} by ${n}${r}`,e.comment===""?".":": ",yn(e.comment))]}function yn(e){return e===""?null:c("q","quote",g(e))}function Sl(e){
let n=/<code>|```[a-z]*\n?|^(?=\s*\{)/m.exec(e),t=e.slice(0,n?.index).replace(/^\s*Thought:\s*/,"");return n===null?[t,""]:[t,e.slice(n.index+n[0].length).replace(
/\s*(<\/code>|```)\s*$/,"").trimStart()]}var de=class{constructor(n){this.desk=n}desk;el=c("div","steps");views=[];found;update(n,t){n.steps.forEach((r,i)=>{let o=this.views[i]??this.add(),s=t!==null&&
t.run===n.run&&t.step===r.n?t:null;(s!==null||!o.shows(r))&&o.update(r,s,t)});for(let r of this.views.splice(n.steps.length))r.el.remove();this.found=this.views.
findLast(r=>r.waiting()!==void 0)?.waiting()}waiting(){return this.found}add(){let n=new Be(this.desk,new wn(this.desk));return this.views.push(n),this.el.append(
n.el),n}},wn=class{constructor(n){this.desk=n;this.el.hidden=!0}desk;el=c("div","runs");views=[];update(n,t){this.el.hidden!==(n.length===0)&&(this.el.hidden=n.
length===0),n.forEach((r,i)=>(this.views[i]??this.add()).update(r,t));for(let r of this.views.splice(n.length))r.el.remove()}waiting(){return this.views.findLast(
n=>n.steps.waiting()!==void 0)?.steps.waiting()}add(){let n=new xn(this.desk);return this.views.push(n),this.el.append(n.el),n}},xn=class{el;steps;summary=new _(
c("summary","summary"));task=new _(c("div","task-part"));answered=new _(c("div","answer"));foot=new _(c("div","foot"));constructor(n){this.steps=new de(n),this.
el=c("details","fold run",this.summary.el,this.task.el,this.steps.el,this.answered.el,this.foot.el),this.el.open=!0}update(n,t){this.el.dataset.run!==n.run&&this.
name(n),t!==null&&(t.run===n.run||t.run.startsWith(`${n.run}-`))&&!this.el.open&&(this.el.open=!0),this.summary.draw([n.agent,n.model,n.boundary,n.phase,n.ended],
()=>[_l(n)]),this.task.draw([n.task],()=>[c("div","task",g(n.task))]),this.steps.update(n,t),this.answered.draw([n.answer],()=>ve(n)),this.foot.draw([n.ended],()=>Tl(
n))}name(n){this.el.dataset.run=n.run,this.el.setAttribute("aria-label",`Run of the agent ${g(n.agent)}`)}};function _l(e){let n=e.ended===null?e.phase:Ye[e.ended.
state]??e.ended.state,t=e.boundary===null?e.sandbox:e.boundary.where;return c("span","",c("strong","",`Agent ${g(e.agent)}`),` \xB7 ${B(n.toLowerCase(),g(e.model),
g(t))}`)}function Tl({ended:e}){if(e===null)return[];let n=B(T(e.steps,"step"),I(e.duration),V(e.usage),W(e.usage));return[c("p","quiet",n),e.error!==""&&c("p",
"fault-title",g(e.error))]}var Ne=class{constructor(n,t,r){this.feed=n;this.post=t;this.el.tabIndex=0,this.el.setAttribute("role","region"),this.el.setAttribute("aria-label","Agent run");
let i=c("div","head",c("div","head-text",this.task.el,this.head.el));this.list=new de(this),this.el.append(this.rule.el,i,this.list.el,this.notices.el,this.now,
this.answered.el,this.foot.el,this.exported.el,this.announcer.el),this.lookout=new ye(this.el,()=>this.arm(),r),this.borrowed=new ge(this.el,r),this.listen(r),this.
update()}feed;post;el=c("div","card");task=new _(c("div","task-part"));head=new _(c("div","head-parts"));stopButton=F("Stop run","stop",()=>this.stop());rule=new _(
document.createElement("style"));list;notices=new _(c("div","notices"));progress=c("div","progress");now=c("div","now",this.progress,this.stopButton);announcer=new me;answered=new _(
c("div","answer"));foot=new _(c("div","foot"));exported=new ke(()=>this.post.export(this.feed.state.run));lookout;borrowed;phase="";since=performance.now();stopping=!1;over=!1;answer(n,t){
return this.borrowed.keep(),this.post.answer(n,t)}clickCounts(){return this.lookout.clickCounts()}update(){let{state:n}=this.feed,t=this.waiting()?.controls??null,
r=n.ended!==null&&!this.over,i=K(this.el.ownerDocument.activeElement);r&&this.borrowed.keep();let o=t?.el.contains(this.el.ownerDocument.activeElement)??!1;this.
drawEnds(n),this.list.update(n,this.feed.link==="live"?this.feed.pending:null);let s=this.waiting()?.controls??null;s!==t&&this.turned(o),s?.take(this.feed.verdict),
this.announcer.tell(n,this.waiting()?.step??void 0,this.feed.pending?.run),n.phase!==this.phase&&([this.phase,this.since]=[n.phase,performance.now()]),this.tick(),
this.arm(),this.over=n.ended!==null,r&&!i&&this.borrowed.giveBack()}waiting(){return this.list.waiting()}drawEnds(n){this.el.dataset.link=this.feed.link,this.el.
dataset.run=n.run,this.rule.draw([n.run],()=>[`.smolcell-run-${n.run.replace(/[^A-Za-z0-9-]/g,"")} { display: none; }`]),this.task.draw([n.task],()=>n.task===""?
[]:zn(n)),this.head.draw([n.run,n.boundary,n.variables,n.model],()=>n.run===""?[]:jn(n)),this.stopButton.hidden=n.ended!==null||this.feed.link!=="live",this.stopButton.
disabled=this.stopping;let t=String(!this.stopButton.hidden&&this.feed.pending===null);this.now.dataset.floating!==t&&(this.now.dataset.floating=t),this.notices.
draw([n.notices.length],()=>n.notices.map(r=>c("p","note",g(r.text)))),this.answered.draw([n.answer],()=>ve(n)),this.foot.draw([n.ended],()=>qn(n)),this.exported.
update(this.feed)}turned(n){let t=this.waiting()?.controls??null;this.lookout.watch(t?.el??null),(n||t!==null&&On(this.el))&&this.el.focus({preventScroll:!0})}arm(){
this.waiting()?.controls?.arm(this.lookout.clickCounts()||this.onlyUnfocused()),this.el.dataset.armed=String(this.waiting()!==void 0&&this.lookout.keyCounts())}onlyUnfocused(){
let{drawn:n,pageVisible:t}=this.lookout.sight;return n!==null&&t!==null&&performance.now()-Math.max(n,t)>=500}stop(){this.borrowed.keep(),this.stopping=!0,this.
stopButton.disabled=!0,this.stopButton.textContent="Stopping\u2026",this.post.stop(this.feed.state.run)}listen(n){window.addEventListener("keydown",r=>this.keyDown(
r),{capture:!0,signal:n}),this.el.addEventListener("keydown",r=>K(r.target)&&r.stopPropagation(),{signal:n});let t=setInterval(()=>this.tick(),1e3);n.addEventListener(
"abort",()=>clearInterval(t))}keyDown(n){let t=n.composedPath()[0]??null;if(!n.composedPath().includes(this.el)||K(t)||!$n(n)||this.over&&n.key==="Enter"&&n.shiftKey)
return;n.stopImmediatePropagation(),this.lookout.keyCounts()||this.lookout.typed();let r=In(n);if(r===null)return;n.preventDefault();let i=this.waiting();i===void 0?
r==="stop"&&!this.stopButton.hidden&&!this.stopping&&this.stop():this.lookout.keyCounts()?i.controls?.press(r):this.lookout.sight.inView===null&&Ml(i)}tick(){let n=this.
doing();this.progress.textContent!==n&&(this.progress.textContent=n),this.progress.hidden=n===""}doing(){let{state:n,link:t,pending:r}=this.feed;if(t==="dead")return"\
The kernel that ran this is gone, or was restarted. Nothing here can run any more.";if(t==="connecting")return"Waiting for the kernel\u2026";if(t==="over")return n.
ended===null?"This run is over.":"";let i=I(Math.floor((performance.now()-this.since)/1e3)).replace(".0",""),o=Rl[n.phase]??"";if(r!==null)return"Waiting for yo\
ur decision.";if(n.phase==="asking")return"Checking\u2026";let s=n.phase==="thinking"&&n.boundary===null&&n.progress===""?" \xB7 the sandbox is starting":"";return`${o}\
\u2026 ${i}${s}${n.progress===""?"":` \xB7 ${g(n.progress)}`}`}};function Ml(e){(e.el.getBoundingClientRect().height<window.innerHeight?e.el:e.controls?.el)?.scrollIntoView(
{block:"nearest"})}var Rl={opening:"Starting",thinking:"Thinking",running:"Running"};var Sn={run:"",agent:"",task:"",variables:[],files:[],images:0,model:"",sandbox:"",approve:"",session:"",resumes:"",boundary:null,phase:"opening",progress:"",steps:[],
notices:[],answer:null,ended:null};function He(e,n=[]){return n.reduce(ze,e.reduce(je,Sn))}function je(e,n){if(e.run!==""&&n.run!==e.run)return Ll(e,n);let t=Il(
e,n);return t===e||t.progress===""?t:{...t,progress:""}}function Ll(e,n){if(n.event!=="Asked"||n.parent!==e.run)return lr(e,i=>je(i,n));let{parent_step:t=0,parent_call:r=0}=n;
return M(e,t,i=>({...i,runs:[...i.runs,He([n])]}),r)}function lr(e,n){let t=!1,r=e.steps.map(i=>{let o=i.runs.map(n);return o.every((s,l)=>s===i.runs[l])?i:(t=!0,
{...i,runs:o})});return t?{...e,steps:r}:e}function Il(e,n){switch(n.event){case"Asked":return Pl(e,n);case"Opened":return{...e,boundary:n.boundary};case"Replie\
d":return{...M(Ol(e,n),n.step,Bl(n)),phase:"thinking"};case"Unparsed":return{...M(e,n.step,Nl(n)),phase:"thinking"};case"Trimmed":return{...e,notices:[...e.notices,
{step:n.step,text:Xl(n.steps)}]};case"Proposed":return{...Hl(e,n),phase:"asking"};case"Allowed":return ql(M(e,n.step,zl(n),n.call),n);case"Refused":return or(M(
e,n.step,Ul(n),n.call),n.step);case"Called":return M(e,n.step,Wl(n));case"Observed":return or(M(e,n.step,Kl(n),n.call),n.step);case"Answered":return{...M(e,n.step,
Gl),answer:{step:n.step,text:n.text}};case"Ended":return Zl(e,n);default:return e}}function ze(e,n){if((n.run??e.run)!==e.run)return lr(e,t=>ze(t,n));switch(n.channel){case"\
progress":return{...e,progress:n.text};case"reply":return M(e,n.step,t=>({...t,reply:Fn(t.reply,n.text)}));case"reasoning":return M(e,n.step,t=>({...t,reasoning:Fn(
t.reasoning,n.text)}));case"output":return M(e,n.step,t=>Vl(t,n.text));default:return e}}function M(e,n,t,r=0){let i=e.steps.findLastIndex(s=>s.n===n&&s.call===
r),o=[...e.steps];return i<0?o.push(t($l(n,r))):o[i]=t(o[i]),{...e,steps:o}}function $l(e,n){return{n:e,call:n,status:"thinking",kind:"code",reply:"",reasoning:"",
thought:"",code:"",fingerprint:"",findings:[],edited:null,sha256:"",by:"",scope:"",comment:"",reason:"",output:"",observation:null,usage:null,duration:0,runs:[],
tools:[]}}function Pl(e,n){let{run:t,task:r,variables:i,model:o,sandbox:s,approve:l,session:u,resumes:a="",files:h=[],agent:f=""}=n;return{...e,run:t,agent:f,task:r,
variables:i,files:h,images:n.images.length,model:o,sandbox:s,approve:l,session:u,resumes:a,phase:"thinking"}}function Ol(e,{step:n,note:t=""}){return t===""?e:{
...e,notices:[...e.notices,{step:n,text:t}]}}function Bl({text:e,reasoning:n,usage:t,duration:r}){return i=>({...i,reply:e,reasoning:n,usage:t,duration:r})}function Nl({
reason:e}){return n=>({...n,status:"unparsed",reason:e})}function Hl(e,n){let{step:t,call:r=0,thought:i}=n;if(r===0)return M(e,t,An(n));let o=e.steps.findLast(l=>l.
n===t&&l.call===0);if(o!==void 0&&o.status!=="thinking")return M(e,t,An(n),r);let s=M(e,t,l=>({...l,status:"done",kind:"call",reply:"",thought:i}));return M(s,t,
An({...n,thought:""}),r)}var jl={edited:null,sha256:"",by:"",scope:"",comment:"",reason:""};function An({kind:e,thought:n,text:t,fingerprint:r,findings:i}){return o=>({
...o,...jl,status:"pending",reply:"",kind:e,thought:n,code:t,fingerprint:r,findings:i})}function zl({text:e,sha256:n,by:t,edited:r,scope:i,comment:o,kind:s}){let l=s===
"plan"?"done":"allowed";return u=>({...u,status:l,edited:r?e:null,sha256:n,by:t,scope:i,comment:o})}function ql(e,{kind:n,step:t,call:r=0}){if(n==="plan")return{
...e,phase:"thinking"};if(n!=="budget")return{...e,phase:"running"};let i=e.steps.find(s=>s.n===t&&s.call===r),o={step:t,text:`${i?.code??""} It was allowed.`};
return{...e,steps:e.steps.filter(s=>s!==i),notices:[...e.notices,o],phase:"thinking"}}function or(e,n){let t=e.steps.findLast(r=>r.n===n&&r.call===0);return{...e,
phase:t?.status==="allowed"||t?.status==="running"?"running":"thinking"}}function Ul({reason:e,by:n}){return t=>({...t,status:"refused",reason:e,by:n})}function Vl(e,n){
return{...e,status:e.status==="allowed"?"running":e.status,output:Fn(e.output,n)}}var sr=25e4;function Fn(e,n){return e.length>=sr?e:(e+n).slice(0,sr)}function Wl({
call:e,name:n,text:t,result:r,error:i,duration:o,times:s}){return l=>({...l,tools:[...l.tools,{call:e,name:n,text:t,result:r,error:i,duration:o,times:s}]})}function Kl(e){
let{stdout:n,result:t,outputs:r,error:i,changed:o,is_final_answer:s,dropped:l,state_lost:u,duration:a,files:h=[]}=e,f={stdout:n,result:t,outputs:r,error:i,changed:o,
is_final_answer:s,dropped:l,state_lost:u,duration:a,files:h};return m=>({...m,status:"done",output:"",observation:f})}function Gl(e){return e.status==="thinking"?
{...e,status:"done"}:e}function Zl(e,n){let{state:t,steps:r,usage:i,duration:o,error:s,cut:l}=n,u=e.steps.map(a=>Yl.has(a.status)?{...a,status:"cut"}:a);return{
...e,steps:u,phase:"ended",ended:{state:t,steps:r,usage:i,duration:o,error:s,cut:l}}}var Yl=new Set(["thinking","pending","allowed","running"]);function Xl(e){return`\
The output of ${e.length===1?`step ${e[0]}`:`steps ${e.join(", ")}`} is no longer shown to the model: the history outgrew its prompt.`}var qe=class{constructor(n){this.sync=n}sync;state=Sn;pending=null;link="connecting";verdict=null;cells=null;last=0;listeners=new Set;listen(n){return this.listeners.
add(n),()=>this.listeners.delete(n)}receive(n){if(n.type==="json")return this.receive(JSON.parse(n.text));if(n.type==="verdict")this.verdict={id:n.id,ok:n.ok,why:n.
why};else if(n.type==="cells")this.cells=n;else if(n.type==="snapshot")this.takeSnapshot(n);else if(!this.takeNumbered(n))return;n.type!=="snapshot"&&(this.link=
this.state.ended===null?"live":"over"),this.changed()}restore(n){n===""||this.state.ended!==null||(this.state=He(JSON.parse(n)),this.pending=null,this.link="ove\
r",this.changed())}die(){this.link!=="over"&&(this.link="dead",this.changed())}takeNumbered(n){return!Number.isInteger(n.seq)||n.seq<=this.last?!1:n.seq>this.last+
1?(this.sync(),!1):(this.last=n.seq,n.type==="event"&&(this.state=je(this.state,n.event)),n.type==="delta"&&(this.state=ze(this.state,n.delta)),n.type==="pendin\
g"&&(this.pending=n.pending),this.state.ended!==null&&(this.pending=null),!0)}takeSnapshot(n){n.seq<this.last||(this.last=n.seq,this.state=Ql(this.state,He(n.events,
n.deltas)),this.pending=n.pending,this.link=n.live&&this.state.ended===null?"live":"over")}changed(){for(let n of[...this.listeners])n()}};function Ql(e,n){let t=n.
steps.map((r,i)=>{let o=e.steps[i];return o!==void 0&&JSON.stringify(o)===JSON.stringify(r)?o:r});return{...n,steps:t}}var Jl=500,eu=4e3,_n=class{constructor(n){this.model=n;n.on("msg:custom",t=>this.receive(t)),n.on("change:snapshot",()=>this.restore()),n.on("comm:close",()=>this.
feed.die()),n.on("comm_live_update",()=>this.doubt()),this.restore()}model;feed=new qe(()=>this.sync());syncedAt=Number.NEGATIVE_INFINITY;answers=0;send(n){try{
this.model.send(n)}catch{this.feed.die()}}ready(){this.send({type:"ready"}),setTimeout(()=>this.feed.link==="connecting"&&this.feed.die(),eu)}post={answer:(n,t)=>{
let r=this.newId();return this.send({type:"answer",id:r,...n,...t}),r},stop:n=>this.send({type:"stop",run:n}),export:n=>{let t=this.newId();return this.send({type:"\
export",id:t,run:n}),t}};newId(){return`${Date.now().toString(36)}-${++this.answers}`}receive(n){typeof n=="object"&&n!==null&&this.feed.receive(n)}restore(){let n=this.
model.get("snapshot");typeof n=="string"&&this.feed.restore(n)}doubt(){this.feed.die(),this.sync()}sync(){let n=performance.now();n-this.syncedAt<Jl||(this.syncedAt=
n,this.send({type:"sync"}))}};function nu(){let e=null,n=t=>e??=new _n(t);return{initialize({model:t}){n(t).send({type:"init"})},render({model:t,el:r}){let{feed:i,
post:o}=n(t),s=new AbortController,l=new Ne(i,o,s.signal),u=i.listen(()=>l.update());return r.append(l.el),n(t).ready(),()=>{s.abort(),u(),l.el.remove()}}}}export{nu as default};
