var mr=Object.defineProperty;var Mt=(e,t)=>{for(var n in t)mr(e,n,{get:t[n],enumerable:!0})};function c(e,t,...n){let r=document.createElement(e);return t!==""&&(r.className=t.split(" ").map(i=>`smolcell-${i}`).join(" ")),r.append(...n.filter(i=>i!==null&&
i!==!1)),r}function F(e,t,n,r=""){let i=c("button",`button ${t}`,e);if(i.type="button",r!==""){let o=c("kbd","key",r);o.setAttribute("aria-hidden","true"),i.append(
" ",o),i.setAttribute("aria-keyshortcuts",r)}return i.addEventListener("click",n),i}function L(e,...t){return c("details","fold",c("summary","summary",e),...t)}
var _=class{constructor(t){this.el=t}el;before=null;draw(t,n){if(this.before?.every((i,o)=>i===t[o])&&this.before.length===t.length)return;this.before=t;let r=n().
filter(i=>i!==null&&i!==!1);this.el.replaceChildren(...r),this.el.hidden=r.length===0}},j=class{constructor(t){this.el=t;t.addEventListener("scroll",()=>this.atEnd=
t.scrollTop+t.clientHeight>=t.scrollHeight-4)}el;atEnd=!0;asked=!1;grown(){!this.atEnd||this.asked||typeof requestAnimationFrame>"u"||(this.asked=!0,requestAnimationFrame(
()=>{this.asked=!1,this.atEnd&&(this.el.scrollTop=this.el.scrollHeight)}))}},he=class{constructor(t){this.el=t;t.hidden=!0,this.following=new j(t)}el;shown="";following;set(t){
t!==this.shown&&(t.startsWith(this.shown)?this.el.append(t.slice(this.shown.length)):this.el.textContent=t,this.shown=t,this.el.hidden=t==="",this.following.grown())}};var gr=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{1d159}\u{e0100}-\u{e01ef}]/u,
Rt=new RegExp(gr.source,"gu"),kr=/\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?$/u;function Ve(e){let t=[],n=0;for(let r of e.matchAll(Rt))r.index>n&&t.push({
text:e.slice(n,r.index),hidden:!1}),t.push({text:fe(r[0]),hidden:!0}),n=r.index+r[0].length;return n<e.length&&t.push({text:e.slice(n),hidden:!1}),t}var We="\\t";
function fe(e){return e==="	"?We:`\\u{${(e.codePointAt(0)??0).toString(16)}}`}function g(e){let t=e.replaceAll(`\r
`,`
`);return t.replace(Rt,(n,r)=>br(n,t,r)?n:fe(n))}function br(e,t,n){return e===`
`||e==="	"||e==="\xA0"?!0:e!=="\u200D"&&e!=="\uFE0F"?!1:kr.test(t.slice(Math.max(0,n-5),n).replace(/\ufe0f$/u,""))}function $(e){return e>0&&e<.05?"< 0.1 s":e<10?`${e.toFixed(1)} s`:e<60?`${Math.round(e)} s`:`${Math.floor(e/60)} min ${Math.round(e)%60} s`}function T(e,t){return`${e.
toLocaleString("en")} ${t}${e===1?"":"s"}`}function V(e){return e.input_tokens+e.output_tokens===0?"":`${e.input_tokens.toLocaleString("en")} + ${e.output_tokens.
toLocaleString("en")} tokens`}function W(e){return e.cost===null?"":`$${e.cost<.01?e.cost.toFixed(4):e.cost.toFixed(2)}`}function vr(e){if(e<1e3)return T(e,"byt\
e");let t=Math.min(3,Math.floor(Math.log10(e)/3));return`${(e/1e3**t).toPrecision(3)} ${["","kB","MB","GB"][t]}`}function pe(e){return g(e.map(({name:t,size:n})=>`${t}\
 (${vr(n)})`).join(", "))}function B(...e){return e.filter(t=>t!=="").join(" \xB7 ")}var Cr={success:"The run is done.",max_steps_error:"The run stopped at its step limit.",refused:"The run ended without approval.",stopped:"The run was stopped.",
error:"The run failed."},me=class{el=c("div","announcer");told=new Set;heard=new WeakSet;constructor(){this.el.setAttribute("aria-live","polite"),this.el.setAttribute(
"role","status")}tell(t,n,r=""){let i=t.steps.filter(u=>!this.heard.has(u));for(let u of i)this.heard.add(u);let s=[...i.flatMap(yr),...n===void 0?[]:[Er(n,r)],
...wr(t)].filter(([u])=>!this.told.has(u));for(let[u]of s)this.told.add(u);let l=s.at(-1);l!==void 0&&(this.el.textContent=l[1])}};function yr(e){let{observation:t}=e;
if(t===null||e.call>0)return[];let n=t.error===null?"is done":`ended with an error: ${g(t.error.type)}`;return[[`done ${e.n}`,`Step ${e.n} ${n}.`]]}function Er(e,t){
let n=e.findings.filter(i=>i.risk!=="none").length,r=e.kind==="code"?`${T(e.code.split(`
`).length,"line")} of Python`:`a ${e.kind}`;return[`asks ${t} ${e.fingerprint} ${e.n}`,`Step ${e.n} waits for your decision: ${r}${n>0?`, ${T(n,"warning")}`:""}\
.`]}function wr({ended:e}){return e===null?[]:[["ended",Cr[e.state]??"The run is over."]]}function Ke(e,t){return e!==null&&t-e>=500}function Ge(e,t){return[e.drawn,e.pageVisible,e.windowFocused].every(n=>Ke(n,t))}function Lt(e,t){return Ge(e,t)&&Ke(
e.inView,t)&&Ke(e.cardFocused,t)}var Dr={a:"approve",e:"edit",r:"refuse",s:"stop"};function $t(e){return Pt(e)||e.shiftKey||e.repeat||e.isComposing?null:Dr[e.key.
toLowerCase()]??null}function It(e){return!Pt(e)&&(e.key.length===1||e.key==="Enter")}function Pt(e){return e.ctrlKey||e.altKey||e.metaKey}function K(e){return e instanceof
Element&&e.closest("input, textarea, select, [contenteditable]")!==null}var xr=[".jp-Cell",".jp-Notebook"];function Ot(e){let{activeElement:t,body:n}=e.ownerDocument,r=e.closest(".jp-Cell");return t===null||t===n||t===r?!0:t.contains(
e)&&r?.classList.contains("jp-mod-active")===!0}var ge=class{constructor(t,n){this.card=t;t.addEventListener("pointerdown",()=>this.clicked(),{capture:!0,signal:n}),
t.addEventListener("focusin",r=>this.entered(r.relatedTarget),{signal:n})}card;from=null;keep(){this.active?.matches("button")&&this.card.contains(this.active)&&
this.card.focus({preventScroll:!0})}giveBack(){if(this.active===this.card){for(let t of[this.from,...xr.map(n=>this.card.closest(n))])if(t?.isConnected&&t.focus(
{preventScroll:!0}),this.active!==this.card)return}}get active(){let t=this.card.getRootNode();return t instanceof Document||t instanceof ShadowRoot?t.activeElement:
null}clicked(){let{active:t}=this;t!==null&&t!==document.body&&t.contains(this.card)&&t!==this.card?this.from=null:this.entered(t)}entered(t){t instanceof HTMLElement&&
!t.contains(this.card)&&!this.card.contains(t)&&(this.from=t)}};var Ar="smolcell-insert-cells",Bt="smolcell-run-over",Fr=1e4,ke=class{constructor(t){this.requested=t;this.ask.title="The approved steps as ordinary cells below\
, which give the same answer",this.said.setAttribute("role","status"),this.el.append(this.ask,this.said),this.el.hidden=!0}requested;el=c("div","export");ask=F(
"Write steps as cells","quiet",()=>this.request());said=c("div","exported");asked="";timer;update(t){let n=t.state.steps.some(r=>r.observation!==null||r.runs.length>
0);this.el.hidden=t.state.ended===null||!n,t.cells!==null&&t.cells.id===this.asked&&this.take(t.cells)}request(){if(this.timer===void 0){if(this.asked=this.requested(),
this.asked==="")return this.end("The run's kernel is gone. Its steps stand above; in a kernel that knows the session: %agent export");this.tell("Asking the kern\
el\u2026"),this.timer=setTimeout(()=>this.wait(),Fr)}}wait(){this.timer=void 0,this.tell("No kernel answered yet: it is busy with another cell, or gone. If it i\
s busy, the cells come when it is free.")}take({cells:t,notes:n,why:r}){if(r!=="")return this.end(`Not exported: ${r}`);let i=!this.el.dispatchEvent(new CustomEvent(
Ar,{bubbles:!0,cancelable:!0,composed:!0,detail:t}));this.end(i?`${T(t.length,"cell")} below.`:"",...n.map(o=>c("p","note",g(o)))),i||this.said.append(...Sr(t.join(
`

`)))}end(t,...n){clearTimeout(this.timer),this.timer=void 0,this.asked="",this.tell(t,...n)}tell(t,...n){this.said.replaceChildren(...t===""?[]:[c("p","quiet",g(
t))],...n)}};function Sr(e){let t=c("pre","about",g(e));t.tabIndex=0,t.setAttribute("role","group"),t.setAttribute("aria-label","The steps as ordinary code");let n=F(
"Copy","quiet",()=>{navigator.clipboard?.writeText(e).then(()=>n.textContent="Copied")});return[t,n]}var G="application/vnd.smolcell.table+json",_r=1e6,Tr=200,Nt=100,Mr=1e3;function ve(e){let t=Lr(e);if(t===null)return null;let[n,r]=t.gap,i=c("tr","",c("td",""),
...be(t.columns.map((a,h)=>jt(a,"col",t.numeric[h])),r,()=>c("th","","\u2026"))),o=t.rows.map((a,h)=>Rr(t,t.index[h]??"",a)),s=()=>c("tr","gap",c("th","","\u2026"),
...be(t.columns.map(()=>c("td","","\u2026")),r,()=>c("td","","\u2026"))),l=c("table","table",c("thead","",i),c("tbody","",...be(o,n,s))),u=c("div","table-box",l);
return u.tabIndex=0,u.setAttribute("role","group"),u.setAttribute("aria-label","Table"),c("div","table-part",u,c("p","quiet",`${T(t.shape[0],"row")} \xD7 ${T(t.
shape[1],"column")}`))}function Rr(e,t,n){let r=n.map((i,o)=>c("td",e.numeric[o]===!0?"numeric":"",g(i)));return c("tr","",jt(t,"row",!1),...be(r,e.gap[1],()=>c(
"td","","\u2026")))}function jt(e,t,n=!1){let r=c("th",n?"numeric":"",g(e));return r.scope=t,r}function be(e,t,n){return t>0&&t<e.length?[...e.slice(0,t),n(),...e.
slice(t)]:e}function Lr(e){if(e.length>_r)return null;let t;try{t=JSON.parse(e)}catch{return null}if(typeof t!="object"||t===null)return null;let{columns:n,index:r,
rows:i,numeric:o,shape:s,gap:l}=t;return!Ze(n,Nt)||!Ze(r,Tr)||!Array.isArray(i)||i.length!==r.length||!i.every(u=>Ze(u,Nt)&&u.length===n.length)||!Array.isArray(
o)||o.length!==n.length||!o.every(u=>typeof u=="boolean")||!Ht(s)||!Ht(l)?null:{columns:n,index:r,rows:i,numeric:o,shape:s,gap:l}}function Ze(e,t){return Array.
isArray(e)&&e.length<=t&&e.every(n=>typeof n=="string"&&n.length<=Mr)}function Ht(e){return Array.isArray(e)&&e.length===2&&e.every(t=>Number.isSafeInteger(t)&&
t>=0)}var $r=160;function qt(e){let t=[e.model,e.sandbox,e.approve&&`approve: ${e.approve}`,e.session&&`session: ${e.session}`,e.resumes&&"resumed"];return[c("ul","fa\
cts-line",...t.filter(n=>n!=="").map(n=>c("li","chip",g(n)))),e.boundary!==null&&Pr(e.boundary),e.variables.length>0&&Br(e.variables),e.files.length>0&&c("p","q\
uiet",`Files copied in: ${pe(e.files)}`),e.tools.length>0&&c("p","quiet",`May call, on this side: ${g(e.tools.join(", "))}`),e.lost.length>0&&c("p","note",`Gone\
 with the sandbox of before: ${g(e.lost.join(", "))}`),e.images>0&&c("p","quiet",`With ${T(e.images,"image")}.`)]}function zt(e){let t=g(e.task),n=c("div","task\
 clamped",t),r=F("Show the whole task","more",()=>i(!n.classList.toggle("smolcell-clamped"))),i=o=>{r.textContent=o?"Show less of the task":"Show the whole task",
r.setAttribute("aria-expanded",String(o))};return i(!1),r.hidden=t.length<=$r&&t.trimEnd().split(`
`).length<=2,typeof ResizeObserver<"u"&&new ResizeObserver(()=>Ir(n,r)).observe(n),[n,r]}function Ir(e,t){e.clientHeight===0||!e.classList.contains("smolcell-cl\
amped")||(t.hidden=e.scrollHeight<=e.clientHeight+1)}function Pr(e){let t=c("span",e.isolated?"badge safe":"badge open",e.isolated?"isolated":"walls missing"),n=Object.
entries(e.limits).map(([i,o])=>`${i} ${String(o)}`),r=L(c("span","","Code runs in ",g(e.where)," ",t),e.walls.length>0&&c("ul","walls",...e.walls.map(Or)),Ye("L\
imits",n),Ye("Imports allowed",e.imports),Ye("Hosts open",e.hosts.length>0?e.hosts:["none"]));return r.classList.add("smolcell-boundary"),r}function Or({name:e,
stands:t,detail:n}){let r=c("span",t?"stands":"missing",t?"stands":"missing");return c("li","wall",r," ",c("strong","",g(e)),n===""?null:`: ${g(n)}`)}function Ye(e,t){
return t.length>0&&c("p","quiet",`${e}: ${g(t.join(", "))}`)}function Br(e){let t=e.map(({name:r,type:i})=>`${r} (${i})`).join(", "),n=e.map(({name:r,type:i,text:o})=>c(
"li","",c("code","",g(r)),` ${g(i)}`,c("pre","about",g(o))));return L(`Goes in as a copy: ${g(t)}`,c("ul","variables",...n))}var Xe={success:"Done",max_steps_error:"\
Stopped at the step limit",refused:"Ended without approval",stopped:"Stopped",error:"Failed"};function Ut(e){let t=e.ended;if(t===null)return[];let n=e.steps.filter(
o=>o.observation!==null&&o.sha256!==""),r=Nr(e),i=B(T(t.steps,"step"),$(t.duration),V(t.usage),W(t.usage));return[c("div",`receipt ${t.state}`,c("strong","",Xe[t.
state]??t.state),c("span","figures",i)),t.error!==""&&c("p","fault-title",g(t.error)),r!==""&&c("p","quiet",`Tools called: ${g(r)}`),n.length>0&&L(`What ran: ${T(
n.length,"step")}`,c("ul","hashes",...n.map(o=>c("li","",`Step ${o.n}${o.call===0?"":`, call ${o.call}`}, allowed by ${g(o.by)}, SHA-256 `,c("code","",g(o.sha256))))))]}
function Nr(e){let t=new Map;for(let{name:r,times:i,duration:o,error:s}of e.steps.flatMap(l=>l.tools)){let l=t.get(r)??{times:0,duration:0,failed:!1};t.set(r,{times:l.
times+i,duration:l.duration+o,failed:l.failed||s!==""})}let n=([r,{times:i,duration:o,failed:s}])=>`${r} ${i}\xD7, ${$(o)}${s?", with errors":""}`;return[...t].
map(n).join("; ")}function Ce(e){if(e.answer===null)return[];let t=g(e.answer.text);return[c("h4","answer-title","Answer"),Hr(e,e.answer.text)??(Ur(t)?jr(t):c("\
div","answer-text",t))]}function Hr(e,t){let r=(e.steps.at(-1)?.observation?.outputs??[]).find(({data:i})=>i["text/plain"]===t)?.data[G];return r===void 0?null:
ve(r)}function jr(e){let t=c("pre","answer-table",e);return t.tabIndex=0,t.setAttribute("role","group"),t.setAttribute("aria-label","Answer"),t}var qr=/^\s*([-*+\u2022]|\d+[.)])\s/,
zr=/(^|[^\s.!?:]) {2,}\S/;function Ur(e){let t=e.split(`
`).filter(n=>Vt(n)!=="");return t.length>1&&3*t.filter(Vr).length>=t.length}function Vr(e){let t=Vt(e);return t.length>1&&t.startsWith("|")&&t.endsWith("|")||!qr.
test(e)&&zr.test(e)}function Vt(e){let[t,n]=[0,e.length];for(;t<n&&e[t]===" ";)t++;for(;n>t&&e[n-1]===" ";)n--;return e.slice(t,n)}var Wr=1500,ye=class{constructor(t,n,r){this.el=t;this.requested=n;this.signal=r}el;requested;signal;told=!1;id="";take=null;update({state:t,saved:n}){n!==null&&
n.id===this.id&&(this.take?.(n.data),this.take=null),!(t.ended===null||this.told)&&(this.told=!0,setTimeout(()=>!this.signal.aborted&&this.tell(t.run),Wr))}tell(t){
let n=()=>new Promise(r=>{this.take=r,this.id=this.requested()});this.el.dispatchEvent(new CustomEvent(Bt,{bubbles:!0,composed:!0,detail:{run:t,record:n}}))}};var Qe=Number.NEGATIVE_INFINITY,Ee=class{constructor(t,n,r,i=()=>performance.now()){this.root=t;this.changed=n;this.now=i;this.sight.pageVisible=document.visibilityState===
"hidden"?null:Qe;let o=window.top===window;this.sight.windowFocused=!o||document.hasFocus()?Qe:null,o&&this.watchWindow(r),document.addEventListener("visibility\
change",()=>this.set("pageVisible",document.visibilityState!=="hidden"),{signal:r}),t.addEventListener("focusin",s=>this.focused(s),{signal:r}),t.addEventListener(
"focusout",s=>this.left(s),{signal:r}),this.observer=typeof IntersectionObserver>"u"?null:new IntersectionObserver(s=>this.seen(s)),r.addEventListener("abort",()=>this.
observer?.disconnect())}root;changed;now;sight={drawn:null,pageVisible:null,windowFocused:null,inView:null,cardFocused:null};observer;watched=null;watch(t){this.
observer?.disconnect(),this.watched=t,this.sight.inView=this.observer===null?Qe:null,this.set("drawn",t!==null,!0),t!==null&&this.observer?.observe(t)}clickCounts(){
return Ge(this.sight,this.now())}keyCounts(){return Lt(this.sight,this.now())}typed(){this.sight.cardFocused!==null&&this.set("cardFocused",!0,!0)}watchWindow(t){
window.addEventListener("focus",()=>this.set("windowFocused",!0),{signal:t}),window.addEventListener("blur",()=>this.set("windowFocused",!1),{signal:t})}focused(t){
let n=t.relatedTarget;n instanceof Node&&this.root.contains(n)&&!K(n)||this.set("cardFocused",!0,!0)}left(t){let n=t.relatedTarget;(!(n instanceof Node)||!this.
root.contains(n))&&this.set("cardFocused",!1)}seen(t){let n=t.findLast(r=>r.target===this.watched);n!==void 0&&this.set("inView",n.isIntersecting)}set(t,n,r=!1){
let i=this.sight[t];n?(i===null||r)&&(this.sight[t]=this.now()):this.sight[t]=null,this.changed(),n&&setTimeout(this.changed,505)}};var Kr=5e3,Gr=64,Zr=4e3,tt={colour:null,back:null,bold:!1,dim:!1,italic:!1,underline:!1,inverse:!1},Yr=/\x1b\[([0-9;:]*)m/g,Xr=/\x1b(\[[0-9;:]*)?$/,Z=class{constructor(t){
this.el=t;t.hidden=!0,this.following=new j(t)}el;shown="";done=0;look=tt;tail=[];looks=0;following;set(t){if(t===this.shown)return;t.startsWith(this.shown.slice(
0,this.done))||this.clear();for(let l of this.tail)l.parentNode?.removeChild(l);let n=t.lastIndexOf(`
`)+1,i=(n>this.done?t.slice(this.done,n-1).split(`
`):[]).flatMap(l=>[...this.line(l),{text:`
`,classes:""}]);this.append(this.nodes(i)),[this.shown,this.done]=[t,Math.max(n,this.done)];let[o,s]=[this.look,this.looks];this.tail=this.nodes(this.line(t.slice(
this.done).replace(Xr,""))),[this.look,this.looks]=[o,s],this.el.append(...this.tail),this.el.hidden=t==="",this.following.grown()}append(t){let[n,r]=[this.el.lastChild,
t[0]];n instanceof Text&&r instanceof Text&&n.length<Zr&&(n.appendData(r.data),t.shift()),this.el.append(...t)}clear(){this.el.replaceChildren(),[this.done,this.
look,this.tail,this.looks]=[0,tt,[],0]}line(t){let n=[];for(let r of t.split("\r")){let i=this.pieces(r);i.length>0&&(n=i)}return n}pieces(t){let n=[],r=0,i=o=>{
o>r&&n.push({text:g(t.slice(r,o)),classes:Qr(this.look)})};for(let o of t.matchAll(Yr))i(o.index),r=o.index+o[0].length,this.look=ei(this.look,o[1]??"");return i(
t.length),n}nodes(t){let n=[],r="";for(let{text:i,classes:o}of t){if(o===""||i===`
`||this.looks>=Kr){r+=i;continue}r!==""&&n.push(document.createTextNode(r)),r="",this.looks+=1,n.push(c("span",o,i))}return r!==""&&n.push(document.createTextNode(
r)),n}};function Qr({colour:e,back:t,bold:n,dim:r,italic:i,underline:o,inverse:s}){let[l,u]=s?[t,e??"text"]:[e,t];return[u!==null?`on-${u}`:l!==null?`ansi-${l}`:
"",n&&"ansi-bold",r&&u===null&&"ansi-dim",i&&"ansi-italic",o&&"ansi-underline"].filter(Boolean).join(" ")}var Jr={0:tt,1:{bold:!0},2:{dim:!0},3:{italic:!0},4:{underline:!0},
7:{inverse:!0},21:{underline:!0},22:{bold:!1,dim:!1},23:{italic:!1},24:{underline:!1},27:{inverse:!1},39:{colour:null},49:{back:null}};function ei(e,t){let n=t.
split(/[;:]/,Gr).map(Number),r=e;for(let i=0;i<n.length;i++){let o=n[i];if(o===38||o===48){let[s,l]=ni(n.slice(i+1));r={...r,[o===38?"colour":"back"]:s},i+=l}else
r={...r,...Jr[o],...ti(o)}}return r}function ti(e){let[t,n]=[Math.floor(e/10),e%10];return n>7?{}:t===3||t===9?{colour:n}:t===4||t===10?{back:n}:{}}function ni(e){
let[t=0,n=0,r=0,i=0]=e;if(t===2)return[et(n,r,i),4];if(t!==5)return[null,e.length];if(n<16)return[n%8,2];if(n>=232)return[et(n,n,n),2];let o=s=>Math.floor((n-16)/
s)%6;return[et(o(36)*51,o(6)*51,o(1)*51),2]}function et(e,t,n){let r=[e,t,n],[i,o]=[Math.min(...r),Math.max(...r)];return o-i<48?o<96?0:7:r.reduce((s,l,u)=>s+(l>
(i+o)/2?1<<u:0),0)}var ri=new Set("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal \
not or pass raise return try while with yield match case".split(" ")),ii=new Set("abs all any bool bytes dict enumerate filter float format frozenset getattr ha\
sattr int isinstance iter len list map max min next object open print range repr reversed round set setattr sorted str sum super tuple type zip eval exec compil\
e final_answer".split(" ")),oi=new RegExp([/(?<comment>#[^\r\n]*)/,/(?<string>[rRbBuUfFtT]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\r\n])*"?|'(?:\\[\s\S]|[^'\\\r\n])*'?))/,
/(?<number>(?:0[xXoObB][\da-fA-F_]+|\d[\d_]*\.?[\d_]*(?:[eE][+-]?\d+)?[jJ]?))/,/(?<decorator>@[\p{L}_][\p{L}\p{N}_.]*)/u,/(?<word>[\p{L}_][\p{L}\p{N}_]*)/u,/(?<plain>[\s\S])/].
map(e=>e.source).join("|"),"gu"),si=1e5;function li(e){if(e.length>si)return[{kind:"plain",text:e}];let t=[],n="";for(let r of e.matchAll(oi)){let i=n===".";n=r[0];
for(let o of ui(r))di(t,i&&o.kind==="builtin"?{...o,kind:"name"}:o)}return t}function ui(e){let t=e[0],n=e.groups??{};if(n.string!==void 0)return/^[^"']*[fFtT]/.
test(t)?ci(t):[{kind:"string",text:t}];if(n.word!==void 0)return[{kind:ai(t),text:t}];for(let r of["comment","number","decorator"])if(n[r]!==void 0)return[{kind:r,
text:t}];return[{kind:"plain",text:t}]}function ai(e){return ri.has(e)?"keyword":ii.has(e)?"builtin":"name"}function ci(e){return e.split(/(\{\{|\}\}|\{[^{}]*\})/).
filter(t=>t!=="").map(t=>({kind:/^\{[^{]/.test(t)?"expression":"string",text:t}))}function di(e,t){let n=e.at(-1);n!==void 0&&n.kind===t.kind?n.text+=t.text:e.push(
t)}var hi=/\n|(?<=\r)(?!\n)/;function nt(e){let t=[[]],n="";for(let{kind:r,text:i}of li(e))n.endsWith("\r")&&!i.startsWith(`
`)&&t.push([]),n=i,i.split(hi).forEach((o,s)=>{s>0&&t.push([]),o!==""&&t.at(-1)?.push({kind:r,text:o})});return t}var we={none:0,low:1,high:2};function De(e,t,n=[],r=0){let i=t==="code"?nt(e):e.split(`
`).map(s=>[{kind:"plain",text:s}]),o=c("div","code");return o.dataset.kind=t,o.setAttribute("role","group"),o.setAttribute("aria-label",`${i.length} ${i.length===
1?"line":"lines"} of ${t}`),o.style.setProperty("--smolcell-digits",String(String(i.length).length)),i.forEach((s,l)=>o.append(fi(s,l+1,gi(n,l+1),l+1===r))),o}function fi(e,t,n,r){
let i=(n==="none"?"":` ${n}`)+(r?" error-line":""),o=c("span","number");o.dataset.n=String(t);let s=c("code","source");for(let l of e)s.append(...Gt(l));return c(
"div",`line${i}`,o,s)}function Kt(e){return c("code","source",...(nt(e)[0]??[]).flatMap(Gt))}function Gt(e){return Ve(e.text).flatMap(t=>t.hidden?[Zt(t.text)]:e.
kind==="plain"||e.kind==="name"?Wt(t.text):[c("span",e.kind==="number"?"number-literal":e.kind,...pi.has(e.kind)?[t.text]:Wt(t.text))])}var pi=new Set(["string",
"comment"]);function Wt(e){return e.split(/([^\x00-\x7f]+)/).flatMap((t,n)=>t===""?[]:[n%2===0?document.createTextNode(t):mi(t)])}function mi(e){let t=c("span",
"foreign-char",e);return t.title=`letters beyond ASCII: ${[...e].map(fe).join(" ")}`,t}function Zt(e){let t=c("span","hidden-char",e);return t.title=e===We?"a t\
ab":"a character that cannot be seen",t}function gi(e,t){return e.filter(n=>n.line===t).reduce((n,{risk:r})=>we[r]>we[n]?r:n,"none")}function it(e){if(e.length===
0)return null;let t=[...e].sort((o,s)=>we[s.risk]-we[o.risk]||o.line-s.line),n=t.filter(o=>o.risk!=="none"),r=t.filter(o=>o.risk==="none"),i=c("ul","findings",...n.
map(ki),r.length>0&&c("li","facts",...vi(r)));return i.setAttribute("aria-label","What was found in the code"),i}function ki(e){let t=c("span","mark",e.risk==="\
high"?"Warning":"Note");return c("li",`finding ${e.risk}`,t,` ${e.kind}: `,rt(e.text),Ci(e))}var bi={import:"imports",name:"writes",file:"files",network:"hosts",
tool:"calls"};function vi(e){return[...new Set(e.map(n=>n.kind))].map(n=>{let r=[...new Set(e.filter(i=>i.kind===n).map(i=>i.text))];return c("span","fact",`${bi[n]??
n} `,...r.flatMap((i,o)=>o>0?[", ",rt(i)]:[rt(i)]))})}function rt(e){return c("code","",...Ve(e).map(t=>t.hidden?Zt(t.text):t.text))}function Ci(e){return e.line>
0?` (line ${e.line})`:""}var ot="    ";function Yt(e){let t=xe("editor",e);t.rows=Math.min(Math.max(e.split(`
`).length+1,4),30),t.setAttribute("aria-label","Edit the code before it runs. Escape, then Tab, leaves the editor.");let n=!1;return t.addEventListener("keydown",
r=>{r.isComposing||(r.key==="Tab"&&!n&&!r.ctrlKey&&!r.altKey&&!r.metaKey?(r.preventDefault(),r.shiftKey?wi(t):Ei(t)):r.key==="Enter"&&!r.ctrlKey&&!r.metaKey&&(r.
preventDefault(),st(t,`
${yi(t)}`)),n=r.key==="Escape"||n&&r.key==="Shift")}),t}function xe(e,t=""){let n=c("textarea",e);return n.value=t,n.spellcheck=!1,n.setAttribute("autocapitaliz\
e","off"),n.setAttribute("autocomplete","off"),n.dataset.lmSuppressShortcuts="true",n}function Xt(e){return e.value.lastIndexOf(`
`,e.selectionStart-1)+1}function yi(e){let t=e.value.slice(Xt(e),e.selectionStart),n=/^[ \t]*/.exec(t)?.[0]??"";return/:\s*(#.*)?$/.test(t)?n+ot:n}function Ei(e){
e.selectionStart===e.selectionEnd?st(e,ot):Qt(e,t=>t===""?t:ot+t)}function wi(e){Qt(e,t=>t.replace(/^( {1,4}|\t)/,""))}function Qt(e,t){let n=Xt(e),r=e.value.indexOf(
`
`,e.selectionEnd),i=r<0?e.value.length:r,o=e.value.slice(n,i).split(`
`).map(t).join(`
`),s=e.selectionStart===e.selectionEnd,l=Math.max(n,e.selectionStart+o.length-(i-n));e.setSelectionRange(n,i),st(e,o),e.setSelectionRange(s?l:n,s?l:n+o.length)}
function st(e,t){t!==""&&typeof document.execCommand=="function"&&document.execCommand("insertText",!1,t)||e.setRangeText(t,e.selectionStart,e.selectionEnd,"end")}var Di=Array.from({length:21},(e,t)=>t/20),xi=.94,Ae=class{constructor(t,n){this.lines=t;this.changed=n;this.unseen=new Set(t),this.observer=typeof IntersectionObserver>
"u"?null:new IntersectionObserver(r=>this.see(r),{threshold:Di});for(let r of t)this.observer?.observe(r)}lines;changed;unseen;parts=new Map;observer;get unread(){
return this.lines.flatMap((t,n)=>this.unseen.has(t)?[n+1]:[])}show(){this.lines.find(t=>this.unseen.has(t))?.scrollIntoView({block:"start"})}close(){this.observer?.
disconnect()}see(t){let n=this.unseen.size;for(let{target:r,isIntersecting:i,boundingClientRect:o,intersectionRect:s}of t){if(!i||o.height===0)continue;let l=Ai(
this.parts.get(r),[(s.top-o.top)/o.height,(s.bottom-o.top)/o.height]);this.parts.set(r,l),!(l[1]-l[0]<xi)&&(this.unseen.delete(r),this.observer?.unobserve(r))}this.
unseen.size===0&&this.close(),this.unseen.size<n&&this.changed()}};function Ai(e,t){return e===void 0?t:t[0]<=e[1]&&e[0]<=t[1]?[Math.min(e[0],t[0]),Math.max(e[1],
t[1])]:t[1]-t[0]>e[1]-e[0]?t:e}var Jt=4;function en(e,t){if(e.length===0)return"";if(e.length===t)return t===1?"The code has not been whole on your screen.":`No\
ne of the ${t} lines has been whole on your screen.`;let n=Fi(e),r=n.slice(0,Jt).map(([s,l])=>s===l?`${s}`:`${s}\u2013${l}`),i=n.length>Jt?" and others":"",o=e.
length===1;return`${o?"Line":"Lines"} ${r.join(", ")}${i} of ${t} ${o?"has":"have"} not been on your screen.`}function Fi(e){let t=[];for(let n of e){let r=t.at(
-1);r!==void 0&&r[1]===n-1?r[1]=n:t.push([n,n])}return t}var Si=5e3,_i=new Set(["hidden","long-line","syntax"]),Ti=0,Fe=class{constructor(t,n,r,i,o){this.desk=t;this.step=n;this.pending=r;this.turned=o;this.el=c("div",
"controls",this.unread,this.message,this.row),this.unread.id=`smolcell-unread-${++Ti}`,this.reading=new Ae(i,()=>this.tellUnread(i.length)),this.el.setAttribute(
"role","group"),this.el.setAttribute("aria-label",`Decide about step ${n.n}`),this.message.setAttribute("role","status"),this.begin(),this.tellUnread(i.length)}desk;step;pending;turned;el;row=c(
"div","row");message=c("p","message");unread=c("p","unread");reading;sent="";overdue;editor=null;press(t){this.sent!==""||this.mode!=="choose"||(t==="edit"?this.
edit():t==="refuse"?this.refuse():this.send({choice:t}))}get mode(){return this.el.dataset.mode??""}arm(t){for(let n of this.row.querySelectorAll("button"))n.disabled=
!t||this.sent!==""}take(t){t===null||t.id!==this.sent||this.sent===""||(clearTimeout(this.overdue),t.ok||this.again(`Not accepted: ${t.why}.`))}close(){clearTimeout(
this.overdue),this.reading.close()}tellUnread(t){let n=en(this.reading.unread,t);this.unread.hidden=n==="",n===""?this.unread.replaceChildren():this.unread.firstChild===
null?this.unread.append(n," ",F("Show it","more",()=>this.reading.show())):this.unread.firstChild.textContent=n,n===""&&this.mode==="choose"&&this.offerKind()}offerKind(){
if(this.step.kind!=="code"||this.reading.unread.length>0||this.step.findings.some(({kind:n})=>_i.has(n)))return;let t=F(Mi(this.step.findings),"quiet",()=>this.
click({choice:"approve_kind"}));t.disabled=this.row.querySelector("button")?.disabled??!1,this.row.append(t)}begin(){this.step.kind==="question"?this.question():
this.step.kind==="budget"?this.budget():this.choose()}question(){let t=xe("comment");t.rows=2,t.setAttribute("aria-label","Your answer. The agent's code reads i\
t."),t.placeholder="Your answer (the agent's code reads it)",this.editor=t,this.show("question",t,F("Send answer","primary",()=>this.click({choice:"edit",text:t.
value})),F("Do not answer","",()=>this.click({choice:"refuse"})),F("Stop","",()=>this.click({choice:"stop"})))}budget(){this.show("budget",F("Go on","primary",()=>this.
click({choice:"approve"})),F("Stop","",()=>this.click({choice:"stop"})))}choose(){this.editor=null,this.show("choose",F("Approve","primary",()=>this.click({choice:"\
approve"}),"A"),F("Edit","",()=>this.guard(()=>this.edit()),"E"),F("Refuse","",()=>this.guard(()=>this.refuse()),"R"),F("Stop","",()=>this.click({choice:"stop"}),
"S"),F(this.step.kind==="plan"?"Approve every plan of this run":"Approve the rest of this run","quiet",()=>this.click({choice:"approve_run"}))),this.offerKind()}edit(){
let t=Yt(this.step.code);this.editor=t,this.show("edit",t,c("span","hint","Tab indents; Escape, then Tab, leaves the editor."),F(this.step.kind==="plan"?"Use ed\
ited plan":"Run edited","primary",()=>this.click({choice:"edit",text:t.value})),F("Cancel","",()=>this.back())),this.enter(t),t.setSelectionRange(0,0)}refuse(){
let t=xe("comment");t.rows=2,t.setAttribute("aria-label","Why, or what to do instead. The model reads it."),t.placeholder="Why, or what to do instead (the model\
 reads it)",this.show("refuse",t,F("Send refusal","danger",()=>this.click({choice:"refuse",comment:t.value})),F("Cancel","",()=>this.back())),this.enter(t)}enter(t){
t.focus({preventScroll:!0}),this.el.scrollIntoView?.({block:"nearest"})}back(){this.choose(),this.row.querySelector("button")?.focus({preventScroll:!0})}show(t,...n){
this.el.dataset.mode=t,this.row.replaceChildren(...n.filter(r=>r instanceof Node)),this.say("");for(let r of this.row.querySelectorAll(".smolcell-primary"))r.setAttribute(
"aria-describedby",this.unread.id);this.turned(t)}click(t){this.guard(()=>this.send(t))}guard(t){this.desk.clickCounts()?t():this.say("This came just as the win\
dow came to the front, so it did not count. Click again.")}send(t){this.sent===""&&(this.sent=this.desk.answer(this.pending,t),this.arm(!1),this.editor!==null&&
(this.editor.readOnly=!0),this.say("Sent\u2026"),this.overdue=setTimeout(()=>this.again("The kernel has not confirmed this yet. You can try again."),Si))}again(t){
this.sent="",this.arm(!0),this.editor!==null&&(this.editor.readOnly=!1),this.say(t)}say(t){this.message.textContent=t,this.message.hidden=t===""}};function Mi(e){
let t=[...new Set(e.filter(({risk:r})=>r!=="none").map(({kind:r})=>r))].sort();return`Approve ${t.length===0?"code without warnings":`code with no other warning\
s than ${t.join(", ")}`}, in this session`}var Ri=1e6,tn=2;function nn(e,t){let[n,r]=[e.split(`
`),t.split(`
`)],i=0;for(;i<Math.min(n.length,r.length)&&n[i]===r[i];)i++;let o=0;for(;o<Math.min(n.length,r.length)-i&&n[n.length-1-o]===r[r.length-1-o];)o++;let s=u=>u.map(
a=>({sign:" ",text:a})),l=Li(n.slice(i,n.length-o),r.slice(i,r.length-o));return[...s(n.slice(0,i)),...l,...s(n.slice(n.length-o))]}function Li(e,t){let n=t.length+
1;if(e.length*t.length>Ri)return[...e.map(s=>({sign:"-",text:s})),...t.map(s=>({sign:"+",text:s}))];let r=new Uint16Array((e.length+1)*n),i=(s,l)=>r[s*n+l];for(let s=e.
length-1;s>=0;s--)for(let l=t.length-1;l>=0;l--)r[s*n+l]=e[s]===t[l]?i(s+1,l+1)+1:Math.max(i(s+1,l),i(s,l+1));let o=[];for(let s=0,l=0;s<e.length||l<t.length;)s<
e.length&&l<t.length&&e[s]===t[l]?(o.push({sign:" ",text:e[s++]}),l++):l>=t.length||s<e.length&&i(s+1,l)>=i(s,l+1)?o.push({sign:"-",text:e[s++]}):o.push({sign:"\
+",text:t[l++]});return o}function rn(e){let t=e.map((r,i)=>e.slice(Math.max(0,i-tn),i+tn+1).some(({sign:o})=>o!==" ")),n=c("div","code diff");return n.setAttribute(
"role","group"),n.setAttribute("aria-label","What you changed"),e.forEach((r,i)=>{t[i]===!0?n.append(Pi(r)):t[i-1]!==!1&&n.append(c("div","line left-out",c("spa\
n","sign","\u2026")))}),n}var $i={" ":"","-":"taken out: ","+":"put in: "},Ii={" ":"line","-":"line taken-out","+":"line put-in"};function Pi({sign:e,text:t}){let n=c(
"span","sign",e==="-"?"\u2212":e);return n.setAttribute("aria-hidden","true"),c("div",Ii[e],n,c("span","spoken",$i[e]),Kt(t))}var lt={};Mt(lt,{decode:()=>J,encode:()=>N,format:()=>Y,parse:()=>ee});var on={};function Oi(e){let t=on[e];if(t)return t;t=on[e]=[];for(let n=0;n<128;n++){let r=String.fromCharCode(n);t.push(r)}for(let n=0;n<e.length;n++){let r=e.
charCodeAt(n);t[r]="%"+("0"+r.toString(16).toUpperCase()).slice(-2)}return t}function Se(e,t){typeof t!="string"&&(t=Se.defaultChars);let n=Oi(t);return e.replace(
/(%[a-f0-9]{2})+/gi,function(r){let i="";for(let o=0,s=r.length;o<s;o+=3){let l=parseInt(r.slice(o+1,o+3),16);if(l<128){i+=n[l];continue}if((l&224)===192&&o+3<s){
let u=parseInt(r.slice(o+4,o+6),16);if((u&192)===128){let a=l<<6&1984|u&63;a<128?i+="\uFFFD\uFFFD":i+=String.fromCharCode(a),o+=3;continue}}if((l&240)===224&&o+
6<s){let u=parseInt(r.slice(o+4,o+6),16),a=parseInt(r.slice(o+7,o+9),16);if((u&192)===128&&(a&192)===128){let h=l<<12&61440|u<<6&4032|a&63;h<2048||h>=55296&&h<=
57343?i+="\uFFFD\uFFFD\uFFFD":i+=String.fromCharCode(h),o+=6;continue}}if((l&248)===240&&o+9<s){let u=parseInt(r.slice(o+4,o+6),16),a=parseInt(r.slice(o+7,o+9),
16),h=parseInt(r.slice(o+10,o+12),16);if((u&192)===128&&(a&192)===128&&(h&192)===128){let f=l<<18&1835008|u<<12&258048|a<<6&4032|h&63;f<65536||f>1114111?i+="\uFFFD\uFFFD\uFFFD\
\uFFFD":(f-=65536,i+=String.fromCharCode(55296+(f>>10),56320+(f&1023))),o+=9;continue}}i+="\uFFFD"}return i})}Se.defaultChars=";/?:@&=+$,#";Se.componentChars="";
var J=Se;var sn={};function Bi(e){let t=sn[e];if(t)return t;t=sn[e]=[];for(let n=0;n<128;n++){let r=String.fromCharCode(n);/^[0-9a-z]$/i.test(r)?t.push(r):t.push("%"+("0"+
n.toString(16).toUpperCase()).slice(-2))}for(let n=0;n<e.length;n++)t[e.charCodeAt(n)]=e[n];return t}function _e(e,t,n){typeof t!="string"&&(n=t,t=_e.defaultChars),
typeof n>"u"&&(n=!0);let r=Bi(t),i="";for(let o=0,s=e.length;o<s;o++){let l=e.charCodeAt(o);if(n&&l===37&&o+2<s&&/^[0-9a-f]{2}$/i.test(e.slice(o+1,o+3))){i+=e.slice(
o,o+3),o+=2;continue}if(l<128){i+=r[l];continue}if(l>=55296&&l<=57343){if(l>=55296&&l<=56319&&o+1<s){let u=e.charCodeAt(o+1);if(u>=56320&&u<=57343){i+=encodeURIComponent(
e[o]+e[o+1]),o++;continue}}i+="%EF%BF%BD";continue}i+=encodeURIComponent(e[o])}return i}_e.defaultChars=";/?:@&=+$,-_.!~*'()#";_e.componentChars="-_.!~*'()";var N=_e;function Y(e){let t="";return t+=e.protocol||"",t+=e.slashes?"//":"",t+=e.auth?e.auth+"@":"",e.hostname&&e.hostname.indexOf(":")!==-1?t+="["+e.hostname+"]":t+=e.
hostname||"",t+=e.port?":"+e.port:"",t+=e.pathname||"",t+=e.search||"",t+=e.hash||"",t}function Te(){this.protocol=null,this.slashes=null,this.auth=null,this.port=null,this.hostname=null,this.hash=null,this.search=null,this.pathname=null}var Ni=/^([a-z0-9.+-]+:)/i,
Hi=/:[0-9]*$/,ji=/^(\/\/?(?!\/)[^\?\s]*)(\?[^\s]*)?$/,qi=["<",">",'"',"`"," ","\r",`
`,"	"],zi=["{","}","|","\\","^","`"].concat(qi),Ui=["'"].concat(zi),ln=["%","/","?",";","#"].concat(Ui),un=["/","?","#"],Vi=255,an=/^[+a-z0-9A-Z_-]{0,63}$/,Wi=/^([+a-z0-9A-Z_-]{0,63})(.*)$/,
cn={javascript:!0,"javascript:":!0},dn={http:!0,https:!0,ftp:!0,gopher:!0,file:!0,"http:":!0,"https:":!0,"ftp:":!0,"gopher:":!0,"file:":!0};function Ki(e,t){if(e&&
e instanceof Te)return e;let n=new Te;return n.parse(e,t),n}Te.prototype.parse=function(e,t){let n,r,i,o=e;if(o=o.trim(),!t&&e.split("#").length===1){let a=ji.exec(
o);if(a)return this.pathname=a[1],a[2]&&(this.search=a[2]),this}let s=Ni.exec(o);if(s&&(s=s[0],n=s.toLowerCase(),this.protocol=s,o=o.substr(s.length)),(t||s||o.
match(/^\/\/[^@\/]+@[^@\/]+/))&&(i=o.substr(0,2)==="//",i&&!(s&&cn[s])&&(o=o.substr(2),this.slashes=!0)),!cn[s]&&(i||s&&!dn[s])){let a=-1;for(let d=0;d<un.length;d++)
r=o.indexOf(un[d]),r!==-1&&(a===-1||r<a)&&(a=r);let h,f;a===-1?f=o.lastIndexOf("@"):f=o.lastIndexOf("@",a),f!==-1&&(h=o.slice(0,f),o=o.slice(f+1),this.auth=h),a=
-1;for(let d=0;d<ln.length;d++)r=o.indexOf(ln[d]),r!==-1&&(a===-1||r<a)&&(a=r);a===-1&&(a=o.length),o[a-1]===":"&&a--;let m=o.slice(0,a);o=o.slice(a),this.parseHost(
m),this.hostname=this.hostname||"";let p=this.hostname[0]==="["&&this.hostname[this.hostname.length-1]==="]";if(!p){let d=this.hostname.split(/\./);for(let w=0,
D=d.length;w<D;w++){let v=d[w];if(v&&!v.match(an)){let x="";for(let E=0,C=v.length;E<C;E++)v.charCodeAt(E)>127?x+="x":x+=v[E];if(!x.match(an)){let E=d.slice(0,w),
C=d.slice(w+1),y=v.match(Wi);y&&(E.push(y[1]),C.unshift(y[2])),C.length&&(o=C.join(".")+o),this.hostname=E.join(".");break}}}}this.hostname.length>Vi&&(this.hostname=
""),p&&(this.hostname=this.hostname.substr(1,this.hostname.length-2))}let l=o.indexOf("#");l!==-1&&(this.hash=o.substr(l),o=o.slice(0,l));let u=o.indexOf("?");return u!==
-1&&(this.search=o.substr(u),o=o.slice(0,u)),o&&(this.pathname=o),dn[n]&&this.hostname&&!this.pathname&&(this.pathname=""),this};Te.prototype.parseHost=function(e){
let t=Hi.exec(e);t&&(t=t[0],t!==":"&&(this.port=t.substr(1)),e=e.substr(0,e.length-t.length)),e&&(this.hostname=e)};var ee=Ki;var ct={};Mt(ct,{Any:()=>Gi,Cc:()=>Zi,Cf:()=>Yi,P:()=>ut,S:()=>at,Z:()=>Xi});var Gi=/[\0-\uD7FF\uE000-\uFFFF]|[\uD800-\uDBFF][\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/,
Zi=/[\0-\x1F\x7F-\x9F]/,Yi=/[\xAD\u0600-\u0605\u061C\u06DD\u070F\u0890\u0891\u08E2\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]|\uD804[\uDCBD\uDCCD]|\uD80D[\uDC30-\uDC3F]|\uD82F[\uDCA0-\uDCA3]|\uD834[\uDD73-\uDD7A]|\uDB40[\uDC01\uDC20-\uDC7F]/,
ut=/[!-#%-\*,-\/:;\?@\[-\]_\{\}\xA1\xA7\xAB\xB6\xB7\xBB\xBF\u037E\u0387\u055A-\u055F\u0589\u058A\u05BE\u05C0\u05C3\u05C6\u05F3\u05F4\u0609\u060A\u060C\u060D\u061B\u061D-\u061F\u066A-\u066D\u06D4\u0700-\u070D\u07F7-\u07F9\u0830-\u083E\u085E\u0964\u0965\u0970\u09FD\u0A76\u0AF0\u0C77\u0C84\u0DF4\u0E4F\u0E5A\u0E5B\u0F04-\u0F12\u0F14\u0F3A-\u0F3D\u0F85\u0FD0-\u0FD4\u0FD9\u0FDA\u104A-\u104F\u10FB\u1360-\u1368\u1400\u166E\u169B\u169C\u16EB-\u16ED\u1735\u1736\u17D4-\u17D6\u17D8-\u17DA\u1800-\u180A\u1944\u1945\u1A1E\u1A1F\u1AA0-\u1AA6\u1AA8-\u1AAD\u1B4E\u1B4F\u1B5A-\u1B60\u1B7D-\u1B7F\u1BFC-\u1BFF\u1C3B-\u1C3F\u1C7E\u1C7F\u1CC0-\u1CC7\u1CD3\u2010-\u2027\u2030-\u2043\u2045-\u2051\u2053-\u205E\u207D\u207E\u208D\u208E\u2308-\u230B\u2329\u232A\u2768-\u2775\u27C5\u27C6\u27E6-\u27EF\u2983-\u2998\u29D8-\u29DB\u29FC\u29FD\u2CF9-\u2CFC\u2CFE\u2CFF\u2D70\u2E00-\u2E2E\u2E30-\u2E4F\u2E52-\u2E5D\u3001-\u3003\u3008-\u3011\u3014-\u301F\u3030\u303D\u30A0\u30FB\uA4FE\uA4FF\uA60D-\uA60F\uA673\uA67E\uA6F2-\uA6F7\uA874-\uA877\uA8CE\uA8CF\uA8F8-\uA8FA\uA8FC\uA92E\uA92F\uA95F\uA9C1-\uA9CD\uA9DE\uA9DF\uAA5C-\uAA5F\uAADE\uAADF\uAAF0\uAAF1\uABEB\uFD3E\uFD3F\uFE10-\uFE19\uFE30-\uFE52\uFE54-\uFE61\uFE63\uFE68\uFE6A\uFE6B\uFF01-\uFF03\uFF05-\uFF0A\uFF0C-\uFF0F\uFF1A\uFF1B\uFF1F\uFF20\uFF3B-\uFF3D\uFF3F\uFF5B\uFF5D\uFF5F-\uFF65]|\uD800[\uDD00-\uDD02\uDF9F\uDFD0]|\uD801\uDD6F|\uD802[\uDC57\uDD1F\uDD3F\uDE50-\uDE58\uDE7F\uDEF0-\uDEF6\uDF39-\uDF3F\uDF99-\uDF9C]|\uD803[\uDD6E\uDEAD\uDED0\uDF55-\uDF59\uDF86-\uDF89]|\uD804[\uDC47-\uDC4D\uDCBB\uDCBC\uDCBE-\uDCC1\uDD40-\uDD43\uDD74\uDD75\uDDC5-\uDDC8\uDDCD\uDDDB\uDDDD-\uDDDF\uDE38-\uDE3D\uDEA9\uDFD4\uDFD5\uDFD7\uDFD8]|\uD805[\uDC4B-\uDC4F\uDC5A\uDC5B\uDC5D\uDCC6\uDDC1-\uDDD7\uDE41-\uDE43\uDE60-\uDE6C\uDEB9\uDF3C-\uDF3E]|\uD806[\uDC3B\uDD44-\uDD46\uDDE2\uDE3F-\uDE46\uDE9A-\uDE9C\uDE9E-\uDEA2\uDF00-\uDF09\uDFE1]|\uD807[\uDC41-\uDC45\uDC70\uDC71\uDEF7\uDEF8\uDF43-\uDF4F\uDFFF]|\uD809[\uDC70-\uDC74]|\uD80B[\uDFF1\uDFF2]|\uD81A[\uDE6E\uDE6F\uDEF5\uDF37-\uDF3B\uDF44]|\uD81B[\uDD6D-\uDD6F\uDE97-\uDE9A\uDFE2]|\uD82F\uDC9F|\uD836[\uDE87-\uDE8B]|\uD839\uDDFF|\uD83A[\uDD5E\uDD5F]/,
at=/[\$\+<->\^`\|~\xA2-\xA6\xA8\xA9\xAC\xAE-\xB1\xB4\xB8\xD7\xF7\u02C2-\u02C5\u02D2-\u02DF\u02E5-\u02EB\u02ED\u02EF-\u02FF\u0375\u0384\u0385\u03F6\u0482\u058D-\u058F\u0606-\u0608\u060B\u060E\u060F\u06DE\u06E9\u06FD\u06FE\u07F6\u07FE\u07FF\u0888\u09F2\u09F3\u09FA\u09FB\u0AF1\u0B70\u0BF3-\u0BFA\u0C7F\u0D4F\u0D79\u0E3F\u0F01-\u0F03\u0F13\u0F15-\u0F17\u0F1A-\u0F1F\u0F34\u0F36\u0F38\u0FBE-\u0FC5\u0FC7-\u0FCC\u0FCE\u0FCF\u0FD5-\u0FD8\u109E\u109F\u1390-\u1399\u166D\u17DB\u1940\u19DE-\u19FF\u1B61-\u1B6A\u1B74-\u1B7C\u1FBD\u1FBF-\u1FC1\u1FCD-\u1FCF\u1FDD-\u1FDF\u1FED-\u1FEF\u1FFD\u1FFE\u2044\u2052\u207A-\u207C\u208A-\u208C\u20A0-\u20C1\u2100\u2101\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211E-\u2123\u2125\u2127\u2129\u212E\u213A\u213B\u2140-\u2144\u214A-\u214D\u214F\u218A\u218B\u2190-\u2307\u230C-\u2328\u232B-\u2429\u2440-\u244A\u249C-\u24E9\u2500-\u2767\u2794-\u27C4\u27C7-\u27E5\u27F0-\u2982\u2999-\u29D7\u29DC-\u29FB\u29FE-\u2B73\u2B76-\u2BFF\u2CE5-\u2CEA\u2E50\u2E51\u2E80-\u2E99\u2E9B-\u2EF3\u2F00-\u2FD5\u2FF0-\u2FFF\u3004\u3012\u3013\u3020\u3036\u3037\u303E\u303F\u309B\u309C\u3190\u3191\u3196-\u319F\u31C0-\u31E5\u31EF\u3200-\u321E\u322A-\u3247\u3250\u3260-\u327F\u328A-\u32B0\u32C0-\u33FF\u4DC0-\u4DFF\uA490-\uA4C6\uA700-\uA716\uA720\uA721\uA789\uA78A\uA828-\uA82B\uA836-\uA839\uAA77-\uAA79\uAB5B\uAB6A\uAB6B\uFB29\uFBB2-\uFBD2\uFD40-\uFD4F\uFD90\uFD91\uFDC8-\uFDCF\uFDFC-\uFDFF\uFE62\uFE64-\uFE66\uFE69\uFF04\uFF0B\uFF1C-\uFF1E\uFF3E\uFF40\uFF5C\uFF5E\uFFE0-\uFFE6\uFFE8-\uFFEE\uFFFC\uFFFD]|\uD800[\uDD37-\uDD3F\uDD79-\uDD89\uDD8C-\uDD8E\uDD90-\uDD9C\uDDA0\uDDD0-\uDDFC]|\uD802[\uDC77\uDC78\uDEC8]|\uD803[\uDD8E\uDD8F\uDED1-\uDED8]|\uD805\uDF3F|\uD807[\uDFD5-\uDFF1]|\uD81A[\uDF3C-\uDF3F\uDF45]|\uD82F\uDC9C|\uD833[\uDC00-\uDCEF\uDCFA-\uDCFC\uDD00-\uDEB3\uDEBA-\uDED0\uDEE0-\uDEF0\uDF50-\uDFC3]|\uD834[\uDC00-\uDCF5\uDD00-\uDD26\uDD29-\uDD64\uDD6A-\uDD6C\uDD83\uDD84\uDD8C-\uDDA9\uDDAE-\uDDEA\uDE00-\uDE41\uDE45\uDF00-\uDF56]|\uD835[\uDEC1\uDEDB\uDEFB\uDF15\uDF35\uDF4F\uDF6F\uDF89\uDFA9\uDFC3]|\uD836[\uDC00-\uDDFF\uDE37-\uDE3A\uDE6D-\uDE74\uDE76-\uDE83\uDE85\uDE86]|\uD838[\uDD4F\uDEFF]|\uD83B[\uDCAC\uDCB0\uDD2E\uDEF0\uDEF1]|\uD83C[\uDC00-\uDC2B\uDC30-\uDC93\uDCA0-\uDCAE\uDCB1-\uDCBF\uDCC1-\uDCCF\uDCD1-\uDCF5\uDD0D-\uDDAD\uDDE6-\uDE02\uDE10-\uDE3B\uDE40-\uDE48\uDE50\uDE51\uDE60-\uDE65\uDF00-\uDFFF]|\uD83D[\uDC00-\uDED8\uDEDC-\uDEEC\uDEF0-\uDEFC\uDF00-\uDFD9\uDFE0-\uDFEB\uDFF0]|\uD83E[\uDC00-\uDC0B\uDC10-\uDC47\uDC50-\uDC59\uDC60-\uDC87\uDC90-\uDCAD\uDCB0-\uDCBB\uDCC0\uDCC1\uDCD0-\uDCD8\uDD00-\uDE57\uDE60-\uDE6D\uDE70-\uDE7C\uDE80-\uDE8A\uDE8E-\uDEC6\uDEC8\uDECD-\uDEDC\uDEDF-\uDEEA\uDEEF-\uDEF8\uDF00-\uDF92\uDF94-\uDFEF\uDFFA]/,
Xi=/[ \xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/;var Me=class{},te=e=>e;var dt={toASCII:te,toUnicode:te};var hn=Object.defineProperty,Dn=(e,t)=>{let n={};for(var r in e)hn(n,r,{get:e[r],enumerable:!0});return t||hn(n,Symbol.toStringTag,{value:"Module"}),n},Qi=Dn({arrayReplaceAt:()=>Ji,
asciiTrim:()=>Pe,callable:()=>xn,escapeHtml:()=>H,escapeRE:()=>ao,fromCodePoint:()=>re,isMdAsciiPunct:()=>se,isPunctChar:()=>Fn,isPunctCharCode:()=>oe,isSpace:()=>S,
isValidEntityCode:()=>kt,isWhiteSpace:()=>ie,lib:()=>co,normalizeReference:()=>Ie,unescapeAll:()=>X,unescapeMd:()=>ro});function xn(e){let t=function(...n){return Reflect.
construct(e,n,new.target&&new.target!==t?new.target:e)};return Object.defineProperty(t,"name",{value:e.name}),Object.setPrototypeOf(t,e),t.prototype=e.prototype,
t}function Ji(e,t,n){return[].concat(e.slice(0,t),n,e.slice(t+1))}function kt(e){return!(e>=55296&&e<=57343||e>=64976&&e<=65007||(e&65535)===65535||(e&65535)===
65534||e>=0&&e<=8||e===11||e>=14&&e<=31||e>=127&&e<=159||e>1114111)}function re(e){if(e>65535){e-=65536;let t=55296+(e>>10),n=56320+(e&1023);return String.fromCharCode(
t,n)}return String.fromCharCode(e)}var An=/\\([!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~])/g,eo=new RegExp(`${An.source}|${/&([a-z#][a-z0-9]{1,31});/gi.source}`,"gi"),
to=/^#((?:x[a-f0-9]{1,8}|[0-9]{1,8}))$/i;function no(e,t){if(t.charCodeAt(0)===35&&to.test(t)){let r=t[1].toLowerCase()==="x"?parseInt(t.slice(2),16):parseInt(t.
slice(1),10);return kt(r)?re(r):e}let n=te(e);return n!==e?n:e}function ro(e){return e.indexOf("\\")<0?e:e.replace(An,"$1")}function X(e){return e.indexOf("\\")<
0&&e.indexOf("&")<0?e:e.replace(eo,function(t,n,r){return n||no(t,r)})}var io=/[&<>"]/,oo=/[&<>"]/g,so={"&":"&amp;","<":"&lt;",">":"&gt;",'"':"&quot;"};function lo(e){
return so[e]}function H(e){return io.test(e)?e.replace(oo,lo):e}var uo=/[.?*+^$[\]\\(){}|-]/g;function ao(e){return e.replace(uo,"\\$&")}function S(e){switch(e){case 9:case 32:
return!0}return!1}function ie(e){if(e>=8192&&e<=8202)return!0;switch(e){case 9:case 10:case 11:case 12:case 13:case 32:case 160:case 5760:case 8239:case 8287:case 12288:
return!0}return!1}function Fn(e){return ut.test(e)||at.test(e)}function oe(e){return Fn(re(e))}function se(e){switch(e){case 33:case 34:case 35:case 36:case 37:case 38:case 39:case 40:case 41:case 42:case 43:case 44:case 45:case 46:case 47:case 58:case 59:case 60:case 61:case 62:case 63:case 64:case 91:case 92:case 93:case 94:case 95:case 96:case 123:case 124:case 125:case 126:
return!0;default:return!1}}function Ie(e){return e=e.trim().replace(/\s+/g," "),e.toLowerCase().toUpperCase()}function fn(e){return e===32||e===9||e===10||e===13}
function Pe(e){let t=0;for(;t<e.length&&fn(e.charCodeAt(t));t++);let n=e.length-1;for(;n>=t&&fn(e.charCodeAt(n));n--);return e.slice(t,n+1)}var co={mdurl:lt,ucmicro:ct};
function ho(e,t,n){let r,i,o,s,l=e.posMax,u=e.pos;for(e.pos=t+1,r=1;e.pos<l;){if(o=e.src.charCodeAt(e.pos),o===93&&(r--,r===0)){i=!0;break}if(s=e.pos,e.md.inline.
skipToken(e),o===91){if(s===e.pos-1)r++;else if(n)return e.pos=u,-1}}let a=-1;return i&&(a=e.pos),e.pos=u,a}function fo(e,t,n){let r,i=t,o={ok:!1,pos:0,str:""};
if(e.charCodeAt(i)===60){for(i++;i<n;){if(r=e.charCodeAt(i),r===10||r===60)return o;if(r===62)return o.pos=i+1,o.str=X(e.slice(t+1,i)),o.ok=!0,o;if(r===92&&i+1<
n){i+=2;continue}i++}return o}let s=0;for(;i<n&&(r=e.charCodeAt(i),!(r===32||r<32||r===127));){if(r===92&&i+1<n){if(e.charCodeAt(i+1)===32){i++;continue}i+=2;continue}
if(r===40&&(s++,s>32))return o;if(r===41){if(s===0)break;s--}i++}return t===i||s!==0||(o.str=X(e.slice(t,i)),o.pos=i,o.ok=!0),o}function po(e,t,n,r){let i,o=t,s={
ok:!1,can_continue:!1,pos:0,str:"",marker:0};if(r)s.str=r.str,s.marker=r.marker;else{if(o>=n)return s;let l=e.charCodeAt(o);if(l!==34&&l!==39&&l!==40)return s;t++,
o++,l===40&&(l=41),s.marker=l}for(;o<n;){if(i=e.charCodeAt(o),i===s.marker)return s.pos=o+1,s.str+=X(e.slice(t,o)),s.ok=!0,s;if(i===40&&s.marker===41)return s;i===
92&&o+1<n&&o++,o++}return s.can_continue=!0,s.str+=X(e.slice(t,o)),s}var mo=Dn({parseLinkDestination:()=>fo,parseLinkLabel:()=>ho,parseLinkTitle:()=>po});function le(e){
"@babel/helpers - typeof";return le=typeof Symbol=="function"&&typeof Symbol.iterator=="symbol"?function(t){return typeof t}:function(t){return t&&typeof Symbol==
"function"&&t.constructor===Symbol&&t!==Symbol.prototype?"symbol":typeof t},le(e)}function go(e,t){if(le(e)!="object"||!e)return e;var n=e[Symbol.toPrimitive];if(n!==
void 0){var r=n.call(e,t||"default");if(le(r)!="object")return r;throw new TypeError("@@toPrimitive must return a primitive value.")}return(t==="string"?String:
Number)(e)}function ko(e){var t=go(e,"string");return le(t)=="symbol"?t:t+""}function k(e,t,n){return(t=ko(t))in e?Object.defineProperty(e,t,{value:n,enumerable:!0,
configurable:!0,writable:!0}):e[t]=n,e}var z=class{constructor(e,t,n){k(this,"map",null),k(this,"level",0),k(this,"children",null),k(this,"content",""),k(this,"\
markup",""),k(this,"info",""),k(this,"block",!1),k(this,"hidden",!1),this.type=e,this.tag=t,this.attrs=null,this.nesting=n,this.meta=null}attrIndex(e){if(!this.
attrs)return-1;let t=this.attrs;for(let n=0,r=t.length;n<r;n++)if(t[n][0]===e)return n;return-1}attrPush(e){this.attrs?this.attrs.push(e):this.attrs=[e]}attrSet(e,t){
let n=this.attrIndex(e),r=[e,t];n<0?this.attrPush(r):this.attrs[n]=r}attrGet(e){let t=this.attrIndex(e),n=null;return t>=0&&(n=this.attrs[t][1]),n}attrJoin(e,t){
let n=this.attrIndex(e);n<0?this.attrPush([e,t]):this.attrs[n][1]=`${this.attrs[n][1]} ${t}`}},ue=class{constructor(){k(this,"__rules__",[]),k(this,"__cache__",
null)}__find__(e){for(let t=0;t<this.__rules__.length;t++)if(this.__rules__[t].name===e)return t;return-1}__compile__(){let e=new Set;this.__rules__.forEach(t=>{
t.enabled&&t.alt.forEach(n=>{n&&e.add(n)})}),this.__cache__=Object.create(null),this.__cache__[""]=[],this.__rules__.forEach(t=>{t.enabled&&this.__cache__[""].push(
t.fn)}),e.forEach(t=>{this.__cache__[t]=[],this.__rules__.forEach(n=>{n.enabled&&n.alt.indexOf(t)>=0&&this.__cache__[t].push(n.fn)})})}at(e,t,n={}){let r=this.__find__(
e);if(r===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__[r].fn=t,this.__rules__[r].alt=n.alt||[],this.__cache__=null}before(e,t,n,r={}){let i=this.
__find__(e);if(i===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__.splice(i,0,{name:t,enabled:!0,fn:n,alt:r.alt||[]}),this.__cache__=null}after(e,t,n,r={}){
let i=this.__find__(e);if(i===-1)throw new Error(`Parser rule not found: ${e}`);this.__rules__.splice(i+1,0,{name:t,enabled:!0,fn:n,alt:r.alt||[]}),this.__cache__=
null}push(e,t,n={}){this.__rules__.push({name:e,enabled:!0,fn:t,alt:n.alt||[]}),this.__cache__=null}enable(e,t=!1){Array.isArray(e)||(e=[e]);let n=[];return e.forEach(
r=>{let i=this.__find__(r);if(i<0){if(t)return;throw new Error(`Rules manager: invalid rule name ${r}`)}this.__rules__[i].enabled=!0,n.push(r)}),this.__cache__=
null,n}enableOnly(e,t=!1){Array.isArray(e)||(e=[e]),this.__rules__.forEach(n=>{n.enabled=!1}),this.enable(e,t)}disable(e,t=!1){Array.isArray(e)||(e=[e]);let n=[];
return e.forEach(r=>{let i=this.__find__(r);if(i<0){if(t)return;throw new Error(`Rules manager: invalid rule name ${r}`)}this.__rules__[i].enabled=!1,n.push(r)}),
this.__cache__=null,n}getRules(e){return this.__cache__||this.__compile__(),this.__cache__[e]||[]}},P={};P.code_inline=function(e,t,n,r,i){let o=e[t];return`<co\
de${i.renderAttrs(o)}>${H(o.content)}</code>`};P.code_block=function(e,t,n,r,i){let o=e[t];return`<pre${i.renderAttrs(o)}><code>${H(e[t].content)}</code></pre>
`};P.fence=function(e,t,n,r,i){let o=e[t],s=o.info?X(o.info).trim():"",l="",u="";if(s){let h=s.split(/(\s+)/g);l=h[0],u=h.slice(2).join("")}let a;if(n.highlight?
a=n.highlight(o.content,l,u)||H(o.content):a=H(o.content),a.indexOf("<pre")===0)return a+`
`;if(s){let h=o.attrIndex("class"),f=o.attrs?o.attrs.slice():[];h<0?f.push(["class",`${n.langPrefix}${l}`]):(f[h]=[f[h][0],f[h][1]],f[h][1]+=` ${n.langPrefix}${l}`);
let m={attrs:f};return`<pre><code${i.renderAttrs(m)}>${a}</code></pre>
`}return`<pre><code${i.renderAttrs(o)}>${a}</code></pre>
`};P.image=function(e,t,n,r,i){let o=e[t];return o.attrs[o.attrIndex("alt")][1]=i.renderInlineAsText(o.children,n,r),i.renderToken(e,t,n)};P.hardbreak=function(e,t,n){
return n.xhtmlOut?`<br />
`:`<br>
`};P.softbreak=function(e,t,n){return n.breaks?n.xhtmlOut?`<br />
`:`<br>
`:`
`};P.text=function(e,t){return H(e[t].content)};P.html_block=function(e,t){return e[t].content};P.html_inline=function(e,t){return e[t].content};var Sn=class{constructor(){
k(this,"rules",Object.assign({},P))}renderAttrs(e){let t,n,r;if(!e.attrs)return"";for(r="",t=0,n=e.attrs.length;t<n;t++)r+=` ${H(e.attrs[t][0])}="${H(String(e.attrs[t][1]))}\
"`;return r}renderToken(e,t,n){let r=e[t],i="";if(r.hidden)return"";let o=t-1;for(;o>=0&&e[o].hidden&&e[o].nesting===0;)o--;r.block&&r.nesting!==-1&&o>=0&&e[o].
hidden&&e[o].nesting===-1&&(i+=`
`),i+=(r.nesting===-1?"</":"<")+r.tag,i+=this.renderAttrs(r),r.nesting===0&&n.xhtmlOut&&(i+=" /");let s=!1;if(r.block&&(s=!0,r.nesting===1)){let l=t+1;for(;l<e.
length&&e[l].hidden&&e[l].nesting===0;)l++;if(l<e.length){let u=e[l];(u.type==="inline"||u.hidden||u.nesting===-1&&u.tag===r.tag)&&(s=!1)}}return i+=s?`>
`:">",i}renderInline(e,t,n){let r="",i=this.rules;for(let o=0,s=e.length;o<s;o++){let l=e[o].type;typeof i[l]<"u"?r+=i[l](e,o,t,n,this):r+=this.renderToken(e,o,
t)}return r}renderInlineAsText(e,t,n){let r="";for(let i=0,o=e.length;i<o;i++)switch(e[i].type){case"text":case"code_inline":r+=e[i].content;break;case"image":r+=
this.renderInlineAsText(e[i].children,t,n);break;case"html_inline":case"html_block":r+=e[i].content;break;case"softbreak":case"hardbreak":r+=`
`}return r}render(e,t,n){let r="",i=this.rules;for(let o=0,s=e.length;o<s;o++){let l=e[o].type;l==="inline"?r+=this.renderInline(e[o].children,t,n):typeof i[l]<
"u"?r+=i[l](e,o,t,n,this):r+=this.renderToken(e,o,t)}return r}},_n=class{constructor(e,t,n){k(this,"tokens",[]),k(this,"inlineMode",!1),k(this,"Token",z),this.src=
e,this.env=n,this.md=t}},bo=/\r\n?/g,vo=/\0/g;function Co(e){let t;t=e.src.replace(bo,`
`),t=t.replace(vo,"\uFFFD"),e.src=t}function yo(e){let t;e.inlineMode?(t=new e.Token("inline","",0),t.content=e.src,t.map=[0,1],t.children=[],e.tokens.push(t)):
e.md.block.parse(e.src,e.md,e.env,e.tokens)}function Eo(e){let t=e.tokens,n=0;for(let r=0;r<t.length;r++)t[r].type!=="reference_definition"&&(r!==n&&(t[n]=t[r]),
n++);t.length!==n&&(t.length=n)}function wo(e){let t=e.tokens;for(let n=0,r=t.length;n<r;n++){let i=t[n];i.type==="inline"&&e.md.inline.parse(i.content,e.md,e.env,
i.children)}}function Do(e){return/^<a[>\s]/i.test(e)}function xo(e){return/^<\/a\s*>/i.test(e)}function Ao(e){let t=e.tokens;if(e.md.options.linkify)for(let n=0,
r=t.length;n<r;n++){if(t[n].type!=="inline"||!e.md.linkify.test(t[n].content))continue;let i=t[n].children,o=[],s=0;for(let l=i.length-1;l>=0;l--){let u=i[l];if(u.
type==="link_close"){for(l--;i[l].level!==u.level&&i[l].type!=="link_open";)l--;continue}if(u.type==="html_inline"&&(Do(u.content)&&s>0&&s--,xo(u.content)&&s++),
!(s>0)&&u.type==="text"&&e.md.linkify.test(u.content)){let a=u.content,h=e.md.linkify.match(a),f=[],m=u.level,p=0;h.length>0&&h[0].index===0&&l>0&&i[l-1].type===
"text_special"&&(h=h.slice(1));for(let d=0;d<h.length;d++){let w=h[d].url,D=e.md.normalizeLink(w);if(!e.md.validateLink(D))continue;let v=h[d].text;h[d].schema?
h[d].schema==="mailto:"&&!/^mailto:/i.test(v)?v=e.md.normalizeLinkText(`mailto:${v}`).replace(/^mailto:/,""):v=e.md.normalizeLinkText(v):v=e.md.normalizeLinkText(
`http://${v}`).replace(/^http:\/\//,"");let x=h[d].index;if(x>p){let b=new e.Token("text","",0);b.content=a.slice(p,x),b.level=m,f.push(b)}let E=new e.Token("li\
nk_open","a",1);E.attrs=[["href",D]],E.level=m++,E.markup="linkify",E.info="auto",f.push(E);let C=new e.Token("text","",0);C.content=v,C.level=m,f.push(C);let y=new e.
Token("link_close","a",-1);y.level=--m,y.markup="linkify",y.info="auto",f.push(y),p=h[d].lastIndex}if(p<a.length){let d=new e.Token("text","",0);d.content=a.slice(
p),d.level=m,f.push(d)}o.push({index:l,nodes:f})}}if(o.length>0){let l=i.length;for(let f of o)l+=f.nodes.length-1;let u=new Array(l),a=0,h=0;o.reverse();for(let f=0;f<
i.length;f++){let m=o[a];if(m?.index===f){for(let p of m.nodes)u[h++]=p;a++}else u[h++]=i[f]}t[n].children=u}}}var Tn=/\+-|\.\.|\?\?\?\?|!!!!|,,|--/,Fo=/\((c|tm|r)\)/i,
So=/\((c|tm|r)\)/gi,_o={c:"\xA9",r:"\xAE",tm:"\u2122"};function To(e,t){return _o[t.toLowerCase()]}function Mo(e){let t=0;for(let n=e.length-1;n>=0;n--){let r=e[n];
r.type==="text"&&!t&&(r.content=r.content.replace(So,To)),r.type==="link_open"&&r.info==="auto"&&t--,r.type==="link_close"&&r.info==="auto"&&t++}}function Ro(e){
let t=0;for(let n=e.length-1;n>=0;n--){let r=e[n];r.type==="text"&&!t&&Tn.test(r.content)&&(r.content=r.content.replace(/\+-/g,"\xB1").replace(/\.{2,}/g,"\u2026").
replace(/([?!])…/g,"$1..").replace(/([?!]){4,}/g,"$1$1$1").replace(/,{2,}/g,",").replace(/(^|[^-])---(?=[^-]|$)/gm,"$1\u2014").replace(/(^|\s)--(?=\s|$)/gm,"$\
1\u2013").replace(/(^|[^-\s])--(?=[^-\s]|$)/gm,"$1\u2013")),r.type==="link_open"&&r.info==="auto"&&t--,r.type==="link_close"&&r.info==="auto"&&t++}}function Lo(e){
let t;if(e.md.options.typographer)for(t=e.tokens.length-1;t>=0;t--)e.tokens[t].type==="inline"&&(Fo.test(e.tokens[t].content)&&Mo(e.tokens[t].children),Tn.test(
e.tokens[t].content)&&Ro(e.tokens[t].children))}var $o=/['"]/,pn=/['"]/g,mn="\u2019",Io=1e3;function gn(e,t,n){for(;e.length>n;){let r=e.pop();r.isSingleQuote?t.
single=r.prevSameQuoteIdx:t.double=r.prevSameQuoteIdx}}function Re(e,t,n,r){e[t]||(e[t]=[]),e[t].push({pos:n,ch:r})}function Po(e,t){let n="",r=0;t.sort((i,o)=>i.
pos-o.pos);for(let i=0;i<t.length;i++){let o=t[i];n+=e.slice(r,o.pos)+o.ch,r=o.pos+1}return n+e.slice(r)}function Oo(e,t){let n,r=[],i={single:-1,double:-1},o={};
for(let s=0;s<e.length;s++){let l=e[s],u=e[s].level;for(n=r.length-1;n>=0&&!(r[n].level<=u);n--);if(gn(r,i,n+1),l.type!=="text")continue;let a=l.content,h=0,f=a.
length;e:for(;h<f;){pn.lastIndex=h;let m=pn.exec(a);if(!m)break;let p=!0,d=!0;h=m.index+1;let w=m[0]==="'",D=32;if(m.index-1>=0)D=a.charCodeAt(m.index-1);else for(n=
s-1;n>=0&&!(e[n].type==="softbreak"||e[n].type==="hardbreak");n--)if(e[n].content){D=e[n].content.charCodeAt(e[n].content.length-1);break}let v=32;if(h<f)v=a.charCodeAt(
h);else for(n=s+1;n<e.length&&!(e[n].type==="softbreak"||e[n].type==="hardbreak");n++)if(e[n].content){v=e[n].content.charCodeAt(0);break}let x=se(D)||oe(D),E=se(
v)||oe(v),C=ie(D),y=ie(v);if(y?p=!1:E&&(C||x||(p=!1)),C?d=!1:x&&(y||E||(d=!1)),v===34&&m[0]==='"'&&D>=48&&D<=57&&(d=p=!1),p&&d&&(p=x,d=E),!p&&!d){w&&Re(o,s,m.index,
mn);continue}if(d&&(n=w?i.single:i.double,n>=0&&r[n].level===u)){let b=r[n],A,R;w?(A=t.md.options.quotes[2],R=t.md.options.quotes[3]):(A=t.md.options.quotes[0],
R=t.md.options.quotes[1]),Re(o,s,m.index,R),Re(o,b.tokenIdx,b.contentPos,A),gn(r,i,n);continue e}if(p){if(r.length>=Io)return;r.push({tokenIdx:s,contentPos:m.index,
isSingleQuote:w,level:u,prevSameQuoteIdx:w?i.single:i.double}),w?i.single=r.length-1:i.double=r.length-1}else d&&w&&Re(o,s,m.index,mn)}}Object.keys(o).forEach(function(s){
let l=Number(s);e[l].content=Po(e[l].content,o[s])})}function Bo(e){if(e.md.options.typographer)for(let t=e.tokens.length-1;t>=0;t--)e.tokens[t].type!=="inline"||
!$o.test(e.tokens[t].content)||Oo(e.tokens[t].children,e)}function No(e){let t,n,r=e.length;for(t=0;t<r;t++)e[t].type==="text_special"&&(e[t].type="text");for(t=
n=0;t<r;t++)e[t].type==="text"&&t+1<r&&e[t+1].type==="text"?e[t+1].content=e[t].content+e[t+1].content:(t!==n&&(e[n]=e[t]),n++);t!==n&&(e.length=n)}function Ho(e){
let t,n,r=e.tokens,i=r.length;for(let o=0;o<i;o++){if(r[o].type!=="inline")continue;let s=r[o].children,l=s.length;for(t=0;t<l;t++)s[t].type==="text_special"&&(s[t].
type="text"),s[t].children&&No(s[t].children);for(t=n=0;t<l;t++)s[t].type==="text"&&t+1<l&&s[t+1].type==="text"?s[t+1].content=s[t].content+s[t+1].content:(t!==
n&&(s[n]=s[t]),n++);t!==n&&(s.length=n)}}var ht=[["normalize",Co],["block",yo],["strip_references",Eo],["inline",wo],["linkify",Ao],["replacements",Lo],["smartq\
uotes",Bo],["text_join",Ho]],Mn=class{constructor(){k(this,"ruler",new ue),k(this,"State",_n);for(let e=0;e<ht.length;e++)this.ruler.push(ht[e][0],ht[e][1])}process(e){
let t=this.ruler.getRules("");for(let n=0,r=t.length;n<r;n++)t[n](e)}},Rn=class{constructor(e,t,n,r){k(this,"bMarks",[]),k(this,"eMarks",[]),k(this,"tShift",[]),
k(this,"sCount",[]),k(this,"bsCount",[]),k(this,"blkIndent",0),k(this,"line",0),k(this,"lineMax",0),k(this,"tight",!1),k(this,"listIndent",-1),k(this,"parentTyp\
e","root"),k(this,"level",0),k(this,"Token",z),this.src=e,this.md=t,this.env=n,this.tokens=r;let i=this.src;for(let o=0,s=0,l=0,u=0,a=i.length,h=!1;s<a;s++){let f=i.
charCodeAt(s);if(!h)if(S(f)){l++,f===9?u+=4-u%4:u++;continue}else h=!0;(f===10||s===a-1)&&(f!==10&&s++,this.bMarks.push(o),this.eMarks.push(s),this.tShift.push(
l),this.sCount.push(u),this.bsCount.push(0),h=!1,l=0,u=0,o=s+1)}this.bMarks.push(i.length),this.eMarks.push(i.length),this.tShift.push(0),this.sCount.push(0),this.
bsCount.push(0),this.lineMax=this.bMarks.length-1}push(e,t,n){let r=new z(e,t,n);return r.block=!0,n<0&&this.level--,r.level=this.level,n>0&&this.level++,this.tokens.
push(r),r}isEmpty(e){return this.bMarks[e]+this.tShift[e]>=this.eMarks[e]}skipEmptyLines(e){for(let t=this.lineMax;e<t&&!(this.bMarks[e]+this.tShift[e]<this.eMarks[e]);e++)
;return e}skipSpaces(e){for(let t=this.src.length;e<t&&S(this.src.charCodeAt(e));e++);return e}skipSpacesBack(e,t){if(e<=t)return e;for(;e>t;)if(!S(this.src.charCodeAt(
--e)))return e+1;return e}skipChars(e,t){for(let n=this.src.length;e<n&&this.src.charCodeAt(e)===t;e++);return e}skipCharsBack(e,t,n){if(e<=n)return e;for(;e>n;)
if(t!==this.src.charCodeAt(--e))return e+1;return e}getLines(e,t,n,r){if(e>=t)return"";let i=new Array(t-e);for(let o=0,s=e;s<t;s++,o++){let l=0,u=this.bMarks[s],
a=u,h;for(s+1<t||r?h=this.eMarks[s]+1:h=this.eMarks[s];a<h&&l<n;){let f=this.src.charCodeAt(a);if(S(f))f===9?l+=4-(l+this.bsCount[s])%4:l++;else if(a-u<this.tShift[s])
l++;else break;a++}l>n?i[o]=new Array(l-n+1).join(" ")+this.src.slice(a,h):i[o]=this.src.slice(a,h)}return i.join("")}},jo=65536;function ft(e,t){let n=e.bMarks[t]+
e.tShift[t],r=e.eMarks[t];return e.src.slice(n,r)}function kn(e){let t=[],n=e.length,r=0,i=e.charCodeAt(r),o=!1,s=0,l="";for(;r<n;)i===124&&(o?(l+=e.substring(s,
r-1),s=r):(t.push(l+e.substring(s,r)),l="",s=r+1)),o=i===92,r++,i=e.charCodeAt(r);return t.push(l+e.substring(s)),t}function qo(e,t,n,r){if(t+2>n)return!1;let i=t+
1;if(e.sCount[i]<e.blkIndent||e.sCount[i]-e.blkIndent>=4)return!1;let o=e.bMarks[i]+e.tShift[i];if(o>=e.eMarks[i])return!1;let s=e.src.charCodeAt(o++);if(s!==124&&
s!==45&&s!==58||o>=e.eMarks[i])return!1;let l=e.src.charCodeAt(o++);if(l!==124&&l!==45&&l!==58&&!S(l)||s===45&&S(l))return!1;for(;o<e.eMarks[i];){let C=e.src.charCodeAt(
o);if(C!==124&&C!==45&&C!==58&&!S(C))return!1;o++}let u=ft(e,t+1),a=u.split("|"),h=[];for(let C=0;C<a.length;C++){let y=a[C].trim();if(!y){if(C===0||C===a.length-
1)continue;return!1}if(!/^:?-+:?$/.test(y))return!1;y.charCodeAt(y.length-1)===58?h.push(y.charCodeAt(0)===58?"center":"right"):y.charCodeAt(0)===58?h.push("lef\
t"):h.push("")}if(u=ft(e,t).trim(),u.indexOf("|")===-1||e.sCount[t]-e.blkIndent>=4)return!1;a=kn(u),a.length&&a[0]===""&&a.shift(),a.length&&a[a.length-1]===""&&
a.pop();let f=a.length;if(f===0||f!==h.length)return!1;if(r)return!0;let m=e.parentType;e.parentType="table";let p=e.md.block.ruler.getRules("blockquote"),d=e.push(
"table_open","table",1),w=[t,0];d.map=w;let D=e.push("thead_open","thead",1);D.map=[t,t+1];let v=e.push("tr_open","tr",1);v.map=[t,t+1];for(let C=0;C<a.length;C++){
let y=e.push("th_open","th",1);h[C]&&(y.attrs=[["style",`text-align:${h[C]}`]]);let b=e.push("inline","",0);b.content=a[C].trim(),b.children=[],e.push("th_close",
"th",-1)}e.push("tr_close","tr",-1),e.push("thead_close","thead",-1);let x,E=0;for(i=t+2;i<n&&!(e.sCount[i]<e.blkIndent);i++){let C=!1;for(let b=0,A=p.length;b<
A;b++)if(p[b](e,i,n,!0)){C=!0;break}if(C||(u=ft(e,i).trim(),!u)||e.sCount[i]-e.blkIndent>=4||(a=kn(u),a.length&&a[0]===""&&a.shift(),a.length&&a[a.length-1]===""&&
a.pop(),E+=f-a.length,E>jo))break;if(i===t+2){let b=e.push("tbody_open","tbody",1);b.map=x=[t+2,0]}let y=e.push("tr_open","tr",1);y.map=[i,i+1];for(let b=0;b<f;b++){
let A=e.push("td_open","td",1);h[b]&&(A.attrs=[["style",`text-align:${h[b]}`]]);let R=e.push("inline","",0);R.content=a[b]?a[b].trim():"",R.children=[],e.push("\
td_close","td",-1)}e.push("tr_close","tr",-1)}return x&&(e.push("tbody_close","tbody",-1),x[1]=i),e.push("table_close","table",-1),w[1]=i,e.parentType=m,e.line=
i,!0}function zo(e,t,n){if(e.sCount[t]-e.blkIndent<4)return!1;let r=t+1,i=r;for(;r<n;){if(e.isEmpty(r)){r++;continue}if(e.sCount[r]-e.blkIndent>=4){r++,i=r;continue}
break}e.line=i;let o=e.push("code_block","code",0);return o.content=e.getLines(t,i,4+e.blkIndent,!1)+`
`,o.map=[t,e.line],!0}function Uo(e,t,n,r){let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4||i+3>o)return!1;let s=e.src.charCodeAt(i);if(s!==
126&&s!==96)return!1;let l=i;i=e.skipChars(i,s);let u=i-l;if(u<3)return!1;let a=e.src.slice(l,i),h=e.src.slice(i,o);if(s===96&&h.indexOf(String.fromCharCode(s))>=
0)return!1;if(r)return!0;let f=t,m=!1;for(;f++,!(f>=n||(i=l=e.bMarks[f]+e.tShift[f],o=e.eMarks[f],i<o&&e.sCount[f]<e.blkIndent));)if(e.src.charCodeAt(i)===s&&!(e.
sCount[f]-e.blkIndent>=4)&&(i=e.skipChars(i,s),!(i-l<u)&&(i=e.skipSpaces(i),!(i<o)))){m=!0;break}u=e.sCount[t],e.line=f+(m?1:0);let p=e.push("fence","code",0);return p.
info=h,p.content=e.getLines(t+1,f,u,!0),p.markup=a,p.map=[t,e.line],!0}function Vo(e,t,n,r){let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t],s=e.lineMax;if(e.sCount[t]-
e.blkIndent>=4||e.src.charCodeAt(i)!==62)return!1;if(r)return!0;let l=[],u=[],a=[],h=[],f=e.md.block.ruler.getRules("blockquote"),m=e.parentType;e.parentType="b\
lockquote";let p=!1,d;for(d=t;d<n;d++){let E=e.sCount[d]<e.blkIndent;if(i=e.bMarks[d]+e.tShift[d],o=e.eMarks[d],i>=o)break;if(e.src.charCodeAt(i++)===62&&!E){let y=e.
sCount[d]+1,b,A;e.src.charCodeAt(i)===32?(i++,y++,A=!1,b=!0):e.src.charCodeAt(i)===9?(b=!0,(e.bsCount[d]+y)%4===3?(i++,y++,A=!1):A=!0):b=!1;let R=y;for(l.push(e.
bMarks[d]),e.bMarks[d]=i;i<o;){let Q=e.src.charCodeAt(i);if(S(Q))Q===9?R+=4-(R+e.bsCount[d]+(A?1:0))%4:R++;else break;i++}p=i>=o,u.push(e.bsCount[d]),e.bsCount[d]=
e.sCount[d]+1+(b?1:0),a.push(e.sCount[d]),e.sCount[d]=R-y,h.push(e.tShift[d]),e.tShift[d]=i-e.bMarks[d];continue}if(p)break;let C=!1;for(let y=0,b=f.length;y<b;y++)
if(f[y](e,d,n,!0)){C=!0;break}if(C){e.lineMax=d,e.blkIndent!==0&&(l.push(e.bMarks[d]),u.push(e.bsCount[d]),h.push(e.tShift[d]),a.push(e.sCount[d]),e.sCount[d]-=
e.blkIndent);break}l.push(e.bMarks[d]),u.push(e.bsCount[d]),h.push(e.tShift[d]),a.push(e.sCount[d]),e.sCount[d]=-1}let w=e.blkIndent;e.blkIndent=0;let D=e.push(
"blockquote_open","blockquote",1);D.markup=">";let v=[t,0];D.map=v,e.md.block.tokenize(e,t,d);let x=e.push("blockquote_close","blockquote",-1);x.markup=">",e.lineMax=
s,e.parentType=m,v[1]=e.line;for(let E=0;E<h.length;E++)e.bMarks[E+t]=l[E],e.tShift[E+t]=h[E],e.sCount[E+t]=a[E],e.bsCount[E+t]=u[E];return e.blkIndent=w,!0}function Wo(e,t,n,r){
let i=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4)return!1;let o=e.bMarks[t]+e.tShift[t],s=e.src.charCodeAt(o++);if(s!==42&&s!==45&&s!==95)return!1;let l=1;for(;o<
i;){let a=e.src.charCodeAt(o++);if(a!==s&&!S(a))return!1;a===s&&l++}if(l<3)return!1;if(r)return!0;e.line=t+1;let u=e.push("hr","hr",0);return u.map=[t,e.line],u.
markup=Array(l+1).join(String.fromCharCode(s)),!0}function bn(e,t){let n=e.eMarks[t],r=e.bMarks[t]+e.tShift[t],i=e.src.charCodeAt(r++);return i!==42&&i!==45&&i!==
43||r<n&&!S(e.src.charCodeAt(r))?-1:r}function vn(e,t){let n=e.bMarks[t]+e.tShift[t],r=e.eMarks[t],i=n;if(i+1>=r)return-1;let o=e.src.charCodeAt(i++);if(o<48||o>
57)return-1;for(;;){if(i>=r)return-1;if(o=e.src.charCodeAt(i++),o>=48&&o<=57){if(i-n>=10)return-1;continue}if(o===41||o===46)break;return-1}return i<r&&(o=e.src.
charCodeAt(i),!S(o))?-1:i}function Ko(e,t){let n=e.level+2;for(let r=t+2,i=e.tokens.length-2;r<i;r++)e.tokens[r].level===n&&e.tokens[r].type==="paragraph_open"&&
(e.tokens[r+2].hidden=!0,e.tokens[r].hidden=!0,r+=2)}function Go(e,t,n,r){let i,o,s,l,u=t,a=!0;if(e.sCount[u]-e.blkIndent>=4||e.listIndent>=0&&e.sCount[u]-e.listIndent>=
4&&e.sCount[u]<e.blkIndent)return!1;let h=!1;r&&e.parentType==="paragraph"&&e.sCount[u]>=e.blkIndent&&(h=!0);let f,m,p;if((p=vn(e,u))>=0){if(f=!0,s=e.bMarks[u]+
e.tShift[u],m=Number(e.src.slice(s,p-1)),h&&m!==1)return!1}else if((p=bn(e,u))>=0)f=!1;else return!1;if(h&&e.skipSpaces(p)>=e.eMarks[u])return!1;if(r)return!0;let d=e.
src.charCodeAt(p-1),w=e.tokens.length;f?(l=e.push("ordered_list_open","ol",1),m!==1&&(l.attrs=[["start",m]])):l=e.push("bullet_list_open","ul",1);let D=[u,0];l.
map=D,l.markup=String.fromCharCode(d);let v=!1,x=e.md.block.ruler.getRules("list"),E=e.parentType;for(e.parentType="list";u<n;){o=p,i=e.eMarks[u];let C=e.sCount[u]+
p-(e.bMarks[u]+e.tShift[u]),y=C;for(;o<i;){let U=e.src.charCodeAt(o);if(U===9)y+=4-(y+e.bsCount[u])%4;else if(U===32)y++;else break;o++}let b=o,A;b>=i?A=1:A=y-C,
A>4&&(A=1);let R=C+A;l=e.push("list_item_open","li",1),l.markup=String.fromCharCode(d);let Q=[u,0];l.map=Q,f&&(l.info=e.src.slice(s,p-1));let cr=e.tight,dr=e.tShift[u],
hr=e.sCount[u],fr=e.listIndent;if(e.listIndent=e.blkIndent,e.blkIndent=R,e.tight=!0,e.tShift[u]=b-e.bMarks[u],e.sCount[u]=y,b>=i&&e.isEmpty(u+1)?e.line=Math.min(
e.line+2,n):e.md.block.tokenize(e,u,n),(!e.tight||v)&&(a=!1),v=e.line-u>1&&e.isEmpty(e.line-1),e.blkIndent=e.listIndent,e.listIndent=fr,e.tShift[u]=dr,e.sCount[u]=
hr,e.tight=cr,l=e.push("list_item_close","li",-1),l.markup=String.fromCharCode(d),u=e.line,Q[1]=u,u>=n||e.sCount[u]<e.blkIndent||e.sCount[u]-e.blkIndent>=4)break;
let Tt=!1;for(let U=0,pr=x.length;U<pr;U++)if(x[U](e,u,n,!0)){Tt=!0;break}if(Tt)break;if(f){if(p=vn(e,u),p<0)break;s=e.bMarks[u]+e.tShift[u]}else if(p=bn(e,u),p<
0)break;if(d!==e.src.charCodeAt(p-1))break}return f?l=e.push("ordered_list_close","ol",-1):l=e.push("bullet_list_close","ul",-1),l.markup=String.fromCharCode(d),
D[1]=u,e.line=u,e.parentType=E,a&&Ko(e,w),!0}var pt=999;function Zo(e){let t=e.length;for(let n=0;n<e.length-1;n++){let r=e.charCodeAt(n);if(r<55296||r>56319)continue;
let i=e.charCodeAt(n+1);i>=56320&&i<=57343&&(t--,n++)}return t}function ne(e,t){return Math.min(e.eMarks[t]+1,e.src.length)}function Le(e,t){let n=e.lineMax;if(t>=
n||e.isEmpty(t))return-1;let r=!1;if(e.sCount[t]-e.blkIndent>3&&(r=!0),e.sCount[t]<0&&(r=!0),!r){let i=e.md.block.ruler.getRules("reference"),o=e.parentType;e.parentType=
"reference";let s=!1;for(let l=0,u=i.length;l<u;l++)if(i[l](e,t,n,!0)){s=!0;break}if(e.parentType=o,s)return-1}return e.bMarks[t]+e.tShift[t]}function Yo(e,t,n,r){
let i=e.src,o=e.bMarks[t]+e.tShift[t],s=t+1;if(e.sCount[t]-e.blkIndent>=4||i.charCodeAt(o)!==91)return!1;let l=ne(e,t),u="",a=-1,h=++o;for(;o<l;){if(u.length+o-
h>pt*2)return!1;let b=i.charCodeAt(o);if(b===91)return!1;if(b===93){a=o;break}if(b===92&&(b=i.charCodeAt(++o)),b===10&&o<l){let A=Le(e,s);if(A<0)return!1;u+=i.slice(
h,l),o=h=A,l=ne(e,s++);continue}o++}if(a<0||i.charCodeAt(a+1)!==58||(u+=i.slice(h,a),u.length>pt&&Zo(u)>pt))return!1;for(o=a+2;o<l;){let b=i.charCodeAt(o);if(b===
10){let A=Le(e,s);if(A<0)break;o=A,l=ne(e,s++)}else if(S(b))o++;else break}let f=e.md.helpers.parseLinkDestination(i,o,l);if(!f.ok)return!1;let m=e.md.normalizeLink(
f.str);if(!e.md.validateLink(m))return!1;o=f.pos;let p=o,d=l,w=s;for(;o<l;){let b=i.charCodeAt(o);if(b===10){let A=Le(e,s);if(A<0)break;o=A,l=ne(e,s++)}else if(S(
b))o++;else break}let D=o,v=e.md.helpers.parseLinkTitle(i,o,l);for(;v.can_continue;){let b=Le(e,s);if(b<0)break;o=b,l=ne(e,s++),v=e.md.helpers.parseLinkTitle(i,
o,l,v)}let x;for(D!==p&&v.ok?(x=v.str,o=v.pos):(x="",o=p,l=d,s=w);o<l&&S(i.charCodeAt(o));)o++;if(o<l&&i.charCodeAt(o)!==10&&x)for(x="",o=p,l=d,s=w;o<l&&S(i.charCodeAt(
o));)o++;if(o<l&&i.charCodeAt(o)!==10)return!1;let E=Ie(u);if(!E)return!1;if(r)return!0;typeof e.env.references>"u"&&(e.env.references={}),typeof e.env.references[E]>
"u"&&(e.env.references[E]={title:x,href:m});let C=e.push("reference_definition","",0);C.map=[t,s],C.hidden=!0;let y=Object.create(null);return y.label=E,C.meta=
y,e.line=s,!0}var Xo=["address","article","aside","base","basefont","blockquote","body","caption","center","col","colgroup","dd","details","dialog","dir","div",
"dl","dt","fieldset","figcaption","figure","footer","form","frame","frameset","h1","h2","h3","h4","h5","h6","head","header","hr","html","iframe","legend","li","\
link","main","menu","menuitem","nav","noframes","ol","optgroup","option","p","param","search","section","summary","table","tbody","td","tfoot","th","thead","tit\
le","tr","track","ul"],Ln=`<[A-Za-z][A-Za-z0-9\\-]*(?:\\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\\s*=\\s*(?:[^"'=<>\`\\x00-\\x20]+|'[^']*'|"[^"]*"))?)*\\s*\\/?>`,$n="<\\/\
[A-Za-z][A-Za-z0-9\\-]*\\s*>";new RegExp(`^(?:${Ln}|${$n}|<!---?>|<!--(?:[^-]|-[^-]|--[^>])*-->|<[?][\\s\\S]*?[?]>|<![A-Za-z][^>]*>|<!\\[CDATA\\[[\\s\\S]*?\\]\\]>)`);
var In=new RegExp(`^(?:${Ln}|${$n})`),q=[[/^<(script|pre|style|textarea)(?=(\s|>|$))/i,/<\/(script|pre|style|textarea)>/i,!0],[/^<!--/,/-->/,!0],[/^<\?/,/\?>/,!0],
[/^<![A-Za-z]/,/>/,!0],[/^<!\[CDATA\[/,/\]\]>/,!0],[new RegExp(`^</?(${Xo.join("|")})(?=(\\s|/?>|$))`,"i"),/^$/,!0],[new RegExp(`${In.source}\\s*$`),/^$/,!1]];function Qo(e,t,n,r){
let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=4||!e.md.options.html||e.src.charCodeAt(i)!==60)return!1;let s=e.src.slice(i,o),l=0;for(;l<
q.length&&!q[l][0].test(s);l++);if(l===q.length)return!1;if(r)return q[l][2];let u=t+1,a=q[l][1].test("");if(!q[l][1].test(s)){for(;u<n&&!(e.sCount[u]<e.blkIndent&&
(a||!e.isEmpty(u)));u++)if(i=e.bMarks[u]+e.tShift[u],o=e.eMarks[u],s=e.src.slice(i,o),q[l][1].test(s)){s.length!==0&&u++;break}}e.line=u;let h=e.push("html_bloc\
k","",0);return h.map=[t,u],h.content=e.getLines(t,u,e.blkIndent,!0),!0}function Jo(e,t,n,r){let i=e.bMarks[t]+e.tShift[t],o=e.eMarks[t];if(e.sCount[t]-e.blkIndent>=
4)return!1;let s=e.src.charCodeAt(i);if(s!==35||i>=o)return!1;let l=1;for(s=e.src.charCodeAt(++i);s===35&&i<o&&l<=6;)l++,s=e.src.charCodeAt(++i);if(l>6||i<o&&!S(
s))return!1;if(r)return!0;o=e.skipSpacesBack(o,i);let u=e.skipCharsBack(o,35,i);u>i&&S(e.src.charCodeAt(u-1))&&(o=u),e.line=t+1;let a=e.push("heading_open",`h${l}`,
1);a.markup="########".slice(0,l),a.map=[t,e.line];let h=e.push("inline","",0);h.content=Pe(e.src.slice(i,o)),h.map=[t,e.line],h.children=[];let f=e.push("headi\
ng_close",`h${l}`,-1);return f.markup="########".slice(0,l),!0}function es(e,t,n){let r=e.md.block.ruler.getRules("paragraph");if(e.sCount[t]-e.blkIndent>=4)return!1;
let i=e.parentType;e.parentType="paragraph";let o=0,s,l=t+1;for(;l<n&&!e.isEmpty(l);l++){if(e.sCount[l]-e.blkIndent>3)continue;if(e.sCount[l]>=e.blkIndent){let p=e.
bMarks[l]+e.tShift[l],d=e.eMarks[l];if(p<d&&(s=e.src.charCodeAt(p),(s===45||s===61)&&(p=e.skipChars(p,s),p=e.skipSpaces(p),p>=d))){o=s===61?1:2;break}}if(e.sCount[l]<
0)continue;let m=!1;for(let p=0,d=r.length;p<d;p++)if(r[p](e,l,n,!0)){m=!0;break}if(m)break}if(!o)return e.parentType=i,!1;let u=Pe(e.getLines(t,l,e.blkIndent,!1));
e.line=l+1;let a=e.push("heading_open",`h${o}`,1);a.markup=String.fromCharCode(s),a.map=[t,e.line];let h=e.push("inline","",0);h.content=u,h.map=[t,e.line-1],h.
children=[];let f=e.push("heading_close",`h${o}`,-1);return f.markup=String.fromCharCode(s),e.parentType=i,!0}function ts(e,t,n){let r=e.md.block.ruler.getRules(
"paragraph"),i=e.parentType,o=t+1;for(e.parentType="paragraph";o<n&&!e.isEmpty(o);o++){if(e.sCount[o]-e.blkIndent>3||e.sCount[o]<0)continue;let a=!1;for(let h=0,
f=r.length;h<f;h++)if(r[h](e,o,n,!0)){a=!0;break}if(a)break}let s=Pe(e.getLines(t,o,e.blkIndent,!1));e.line=o;let l=e.push("paragraph_open","p",1);l.map=[t,e.line];
let u=e.push("inline","",0);return u.content=s,u.map=[t,e.line],u.children=[],e.push("paragraph_close","p",-1),e.parentType=i,!0}var $e=[["table",qo,["paragraph",
"reference"]],["code",zo],["fence",Uo,["paragraph","reference","blockquote","list"]],["blockquote",Vo,["paragraph","reference","blockquote","list"]],["hr",Wo,["\
paragraph","reference","blockquote","list"]],["list",Go,["paragraph","reference","blockquote"]],["reference",Yo],["html_block",Qo,["paragraph","reference","bloc\
kquote"]],["heading",Jo,["paragraph","reference","blockquote"]],["lheading",es],["paragraph",ts]],Pn=class{constructor(){k(this,"ruler",new ue),k(this,"State",Rn);
for(let e=0;e<$e.length;e++)this.ruler.push($e[e][0],$e[e][1],{alt:($e[e][2]||[]).slice()})}tokenize(e,t,n){let r=this.ruler.getRules(""),i=r.length,o=e.md.options.
maxNesting,s=t,l=!1;for(;s<n&&(e.line=s=e.skipEmptyLines(s),!(s>=n||e.sCount[s]<e.blkIndent));){if(e.level>=o){e.line=n;break}let u=e.line,a=!1;for(let h=0;h<i;h++)
if(a=r[h](e,s,n,!1),a){if(u>=e.line)throw new Error("block rule didn't increment state.line");break}if(!a)throw new Error("none of the block rules matched");e.tight=
!l,e.isEmpty(e.line-1)&&(l=!0),s=e.line,s<n&&e.isEmpty(s)&&(l=!0,s++,e.line=s)}}parse(e,t,n,r){if(!e)return;let i=new this.State(e,t,n,r);this.tokenize(i,i.line,
i.lineMax)}},On=class{constructor(e,t,n,r){k(this,"pos",0),k(this,"level",0),k(this,"pending",""),k(this,"pendingLevel",0),k(this,"cache",{}),k(this,"backticks",
{}),k(this,"backticksScanned",!1),k(this,"skipHtmlSpecial",!1),k(this,"linkLevel",0),k(this,"delimiters",[]),k(this,"_prev_delimiters",[]),k(this,"Token",z),this.
src=e,this.env=n,this.md=t,this.tokens=r,this.tokens_meta=Array(r.length),this.posMax=this.src.length}pushPending(){let e=new z("text","",0);return e.content=this.
pending,e.level=this.pendingLevel,this.tokens.push(e),this.pending="",e}push(e,t,n){this.pending&&this.pushPending();let r=new z(e,t,n),i;return n<0&&(this.level--,
this.delimiters=this._prev_delimiters.pop()),r.level=this.level,n>0&&(this.level++,this._prev_delimiters.push(this.delimiters),this.delimiters=[],i={delimiters:this.
delimiters}),this.pendingLevel=this.level,this.tokens.push(r),this.tokens_meta.push(i),r}scanDelims(e,t){let n=this.posMax,r=this.src.charCodeAt(e),i;if(e===0)i=
32;else if(e===1)i=this.src.charCodeAt(0),(i&63488)===55296&&(i=65533);else if(i=this.src.charCodeAt(e-1),(i&64512)===56320){let d=this.src.charCodeAt(e-2);i=(d&
64512)===55296?65536+(d-55296<<10)+(i-56320):65533}else(i&64512)===55296&&(i=65533);let o=e;for(;o<n&&this.src.charCodeAt(o)===r;)o++;let s=o-e,l=o<n?this.src.charCodeAt(
o):32;if((l&64512)===55296){let d=this.src.charCodeAt(o+1);l=(d&64512)===56320?65536+(l-55296<<10)+(d-56320):65533}else(l&64512)===56320&&(l=65533);let u=se(i)||
oe(i),a=se(l)||oe(l),h=ie(i),f=ie(l),m=!f&&(!a||h||u),p=!h&&(!u||f||a);return{can_open:m&&(t||!p||u),can_close:p&&(t||!m||a),length:s}}};function ns(e){switch(e){case 10:case 33:case 35:case 36:case 37:case 38:case 42:case 43:case 45:case 58:case 60:case 61:case 62:case 64:case 91:case 92:case 93:case 94:case 95:case 96:case 123:case 125:case 126:
return!0;default:return!1}}function rs(e,t){let n=e.pos;for(;n<e.posMax&&!ns(e.src.charCodeAt(n));)n++;return n===e.pos?!1:(t||(e.pending+=e.src.slice(e.pos,n)),
e.pos=n,!0)}function is(e){return e>=65&&e<=90||e>=97&&e<=122}function os(e){return e>=65&&e<=90||e>=97&&e<=122||e>=48&&e<=57||e===43||e===45||e===46}function ss(e,t){
if(!e.md.options.linkify||e.linkLevel>0)return!1;let n=e.pos,r=e.posMax;if(n+3>r||e.src.charCodeAt(n)!==58||e.src.charCodeAt(n+1)!==47||e.src.charCodeAt(n+2)!==
47)return!1;let i=n-Math.min(10,e.pending.length,n),o=n;for(;o>i&&os(e.src.charCodeAt(o-1));)o--;if(o===n||!is(e.src.charCodeAt(o)))return!1;let s=n-o,l=e.md.linkify.
matchAtStart(e.src.slice(o));if(!l)return!1;let u=l.url;if(u.length<=s)return!1;let a=u.length;for(;a>0&&u.charCodeAt(a-1)===42;)a--;a!==u.length&&(u=u.slice(0,
a));let h=e.md.normalizeLink(u);if(!e.md.validateLink(h))return!1;if(!t){e.pending=e.pending.slice(0,-s);let f=e.push("link_open","a",1);f.attrs=[["href",h]],f.
markup="linkify",f.info="auto";let m=e.push("text","",0);m.content=e.md.normalizeLinkText(u);let p=e.push("link_close","a",-1);p.markup="linkify",p.info="auto"}
return e.pos+=u.length-s,!0}function ls(e,t){let n=e.pos;if(e.src.charCodeAt(n)!==10)return!1;let r=e.pending.length-1,i=e.posMax;if(!t)if(r>=0&&e.pending.charCodeAt(
r)===32)if(r>=1&&e.pending.charCodeAt(r-1)===32){let o=r-1;for(;o>=1&&e.pending.charCodeAt(o-1)===32;)o--;e.pending=e.pending.slice(0,o),e.push("hardbreak","br",
0)}else e.pending=e.pending.slice(0,-1),e.push("softbreak","br",0);else e.push("softbreak","br",0);for(n++;n<i&&S(e.src.charCodeAt(n));)n++;return e.pos=n,!0}var bt=[];
for(let e=0;e<256;e++)bt.push(0);"\\!\"#$%&'()*+,./:;<=>?@[]^_`{|}~-".split("").forEach(function(e){bt[e.charCodeAt(0)]=1});function us(e,t){let n=e.pos,r=e.posMax;
if(e.src.charCodeAt(n)!==92||(n++,n>=r))return!1;let i=e.src.charCodeAt(n);if(i===10){for(t||e.push("hardbreak","br",0),n++;n<r&&(i=e.src.charCodeAt(n),!!S(i));)
n++;return e.pos=n,!0}if(i===32){if(!t){let l=e.push("text_special","",0);l.content="\\",l.markup="\\",l.info="escape"}return e.pos=n,!0}let o=e.src[n];if(i>=55296&&
i<=56319&&n+1<r){let l=e.src.charCodeAt(n+1);l>=56320&&l<=57343&&(o+=e.src[n+1],n++)}let s="\\"+o;if(!t){let l=e.push("text_special","",0);i<256&&bt[i]!==0?l.content=
o:l.content=s,l.markup=s,l.info="escape"}return e.pos=n+1,!0}function as(e){let t={},n=0;for(;(n=e.indexOf("`",n))!==-1;){let r=n;for(;e.charCodeAt(++n)===96;);
t[n-r]=r}return t}function cs(e,t){var n;let r=e.pos;if(e.src.charCodeAt(r)!==96)return!1;let i=e.posMax,o=r+1;for(;o<i&&e.src.charCodeAt(o)===96;)o++;let s=e.src.
slice(r,o),l=s.length;if(e.backticksScanned||(e.backticks=as(e.src),e.backticksScanned=!0),((n=e.backticks[l])!==null&&n!==void 0?n:-1)>=o){let u=o,a;for(;(a=e.
src.indexOf("`",u))!==-1&&a<i;){for(u=a+1;e.src.charCodeAt(u)===96;)u++;if(u>i)break;if(u-a===l){if(!t){let h=e.push("code_inline","code",0);h.markup=s;let f=e.
src.slice(o,a).replace(/\n/g," ");f.startsWith(" ")&&f.endsWith(" ")&&/[^ ]/.test(f)&&(f=f.slice(1,-1)),h.content=f}return e.pos=u,!0}}}return t||(e.pending+=s),
e.pos=o,!0}function ds(e,t){let n=e.pos,r=e.src.charCodeAt(n);if(t||r!==126)return!1;let i=e.scanDelims(e.pos,!0),o=i.length,s=String.fromCharCode(r);if(o<2)return!1;
let l;o%2&&(l=e.push("text","",0),l.content=s,o--);for(let u=0;u<o;u+=2)l=e.push("text","",0),l.content=s+s,e.delimiters.push({marker:r,length:0,token:e.tokens.
length-1,end:-1,open:i.can_open,close:i.can_close});return e.pos+=i.length,!0}function Cn(e,t){let n,r=[],i=t.length;for(let o=0;o<i;o++){let s=t[o];if(s.marker!==
126||s.end===-1)continue;let l=t[s.end];n=e.tokens[s.token],n.type="s_open",n.tag="s",n.nesting=1,n.markup="~~",n.content="",n=e.tokens[l.token],n.type="s_close",
n.tag="s",n.nesting=-1,n.markup="~~",n.content="",e.tokens[l.token-1].type==="text"&&e.tokens[l.token-1].content==="~"&&r.push(l.token-1)}for(;r.length;){let o=r.
pop(),s=o+1;for(;s<e.tokens.length&&e.tokens[s].type==="s_close";)s++;s--,o!==s&&(n=e.tokens[s],e.tokens[s]=e.tokens[o],e.tokens[o]=n)}}function hs(e){let t=e.tokens_meta,
n=e.tokens_meta.length;Cn(e,e.delimiters);for(let i=0;i<n;i++){var r;let o=(r=t[i])===null||r===void 0?void 0:r.delimiters;o&&Cn(e,o)}}var Bn={tokenize:ds,postProcess:hs};
function fs(e,t){let n=e.pos,r=e.src.charCodeAt(n);if(t||r!==95&&r!==42)return!1;let i=e.scanDelims(e.pos,r===42);for(let o=0;o<i.length;o++){let s=e.push("text",
"",0);s.content=String.fromCharCode(r),e.delimiters.push({marker:r,length:i.length,token:e.tokens.length-1,end:-1,open:i.can_open,close:i.can_close})}return e.pos+=
i.length,!0}function yn(e,t){let n=t.length;for(let r=n-1;r>=0;r--){let i=t[r];if(i.marker!==95&&i.marker!==42||i.end===-1)continue;let o=t[i.end],s=r>0&&t[r-1].
end===i.end+1&&t[r-1].marker===i.marker&&t[r-1].token===i.token-1&&t[i.end+1].token===o.token+1,l=String.fromCharCode(i.marker),u=e.tokens[i.token];u.type=s?"st\
rong_open":"em_open",u.tag=s?"strong":"em",u.nesting=1,u.markup=s?l+l:l,u.content="";let a=e.tokens[o.token];a.type=s?"strong_close":"em_close",a.tag=s?"strong":
"em",a.nesting=-1,a.markup=s?l+l:l,a.content="",s&&(e.tokens[t[r-1].token].content="",e.tokens[t[i.end+1].token].content="",r--)}}function ps(e){let t=e.tokens_meta,
n=e.tokens_meta.length;yn(e,e.delimiters);for(let i=0;i<n;i++){var r;let o=(r=t[i])===null||r===void 0?void 0:r.delimiters;o&&yn(e,o)}}var Nn={tokenize:fs,postProcess:ps};
function ms(e,t){let n,r,i,o,s="",l="",u=e.pos,a=!0;if(e.src.charCodeAt(e.pos)!==91)return!1;let h=e.pos,f=e.posMax,m=e.pos+1,p=e.md.helpers.parseLinkLabel(e,e.
pos,!0);if(p<0)return!1;let d=p+1;if(d<f&&e.src.charCodeAt(d)===40){for(a=!1,d++;d<f&&(n=e.src.charCodeAt(d),!(!S(n)&&n!==10));d++);if(d>=f)return!1;if(u=d,i=e.
md.helpers.parseLinkDestination(e.src,d,e.posMax),i.ok){for(s=e.md.normalizeLink(i.str),e.md.validateLink(s)?d=i.pos:s="",u=d;d<f&&(n=e.src.charCodeAt(d),!(!S(n)&&
n!==10));d++);if(i=e.md.helpers.parseLinkTitle(e.src,d,e.posMax),d<f&&u!==d&&i.ok)for(l=i.str,d=i.pos;d<f&&(n=e.src.charCodeAt(d),!(!S(n)&&n!==10));d++);}(d>=f||
e.src.charCodeAt(d)!==41)&&(a=!0),d++}if(a){if(typeof e.env.references>"u")return!1;if(d<f&&e.src.charCodeAt(d)===91?(u=d+1,d=e.md.helpers.parseLinkLabel(e,d),d>=
0?r=e.src.slice(u,d++):d=p+1):d=p+1,r||(r=e.src.slice(m,p)),r=Ie(r),o=e.env.references[r],!o)return e.pos=h,!1;s=o.href,l=o.title}if(!t){e.pos=m,e.posMax=p;let w=e.
push("link_open","a",1),D=[["href",s]];if(w.attrs=D,l&&D.push(["title",l]),r){let v=Object.create(null);v.label=r,w.meta=v}e.linkLevel++,e.md.inline.tokenize(e),
e.linkLevel--,e.push("link_close","a",-1)}return e.pos=d,e.posMax=f,!0}function gs(e,t){let n,r,i,o,s,l,u,a,h="",f=e.pos,m=e.posMax;if(e.src.charCodeAt(e.pos)!==
33||e.src.charCodeAt(e.pos+1)!==91)return!1;let p=e.pos+2,d=e.md.helpers.parseLinkLabel(e,e.pos+1,!1);if(d<0)return!1;if(o=d+1,o<m&&e.src.charCodeAt(o)===40){for(o++;o<
m&&(n=e.src.charCodeAt(o),!(!S(n)&&n!==10));o++);if(o>=m)return!1;for(a=o,l=e.md.helpers.parseLinkDestination(e.src,o,e.posMax),l.ok&&(h=e.md.normalizeLink(l.str),
e.md.validateLink(h)?o=l.pos:h=""),a=o;o<m&&(n=e.src.charCodeAt(o),!(!S(n)&&n!==10));o++);if(l=e.md.helpers.parseLinkTitle(e.src,o,e.posMax),o<m&&a!==o&&l.ok)for(u=
l.str,o=l.pos;o<m&&(n=e.src.charCodeAt(o),!(!S(n)&&n!==10));o++);else u="";if(o>=m||e.src.charCodeAt(o)!==41)return e.pos=f,!1;o++}else{if(typeof e.env.references>
"u")return!1;if(o<m&&e.src.charCodeAt(o)===91?(a=o+1,o=e.md.helpers.parseLinkLabel(e,o),o>=0?i=e.src.slice(a,o++):o=d+1):o=d+1,i||(i=e.src.slice(p,d)),i=Ie(i),s=
e.env.references[i],!s)return e.pos=f,!1;h=s.href,u=s.title}if(!t){r=e.src.slice(p,d);let w=[];e.md.inline.parse(r,e.md,e.env,w);let D=e.push("image","img",0),v=[
["src",h],["alt",""]];if(D.attrs=v,D.children=w,D.content=r,u&&v.push(["title",u]),i){let x=Object.create(null);x.label=i,D.meta=x}}return e.pos=o,e.posMax=m,!0}
var ks=/^([a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)$/,bs=/^([a-zA-Z][a-zA-Z0-9+.-]{1,31}):([^<>\x00-\x20]*)$/;
function vs(e,t){let n=e.pos;if(e.src.charCodeAt(n)!==60)return!1;let r=e.pos,i=e.posMax;for(;;){if(++n>=i)return!1;let s=e.src.charCodeAt(n);if(s===60)return!1;
if(s===62)break}let o=e.src.slice(r+1,n);if(bs.test(o)){let s=e.md.normalizeLink(o);if(!e.md.validateLink(s))return!1;if(!t){let l=e.push("link_open","a",1);l.attrs=
[["href",s]],l.markup="autolink",l.info="auto";let u=e.push("text","",0);u.content=e.md.normalizeLinkText(o);let a=e.push("link_close","a",-1);a.markup="autolin\
k",a.info="auto"}return e.pos+=o.length+2,!0}if(ks.test(o)){let s=e.md.normalizeLink(`mailto:${o}`);if(!e.md.validateLink(s))return!1;if(!t){let l=e.push("link_\
open","a",1);l.attrs=[["href",s]],l.markup="autolink",l.info="auto";let u=e.push("text","",0);u.content=e.md.normalizeLinkText(o);let a=e.push("link_close","a",
-1);a.markup="autolink",a.info="auto"}return e.pos+=o.length+2,!0}return!1}function Cs(e){return/^<a[>\s]/i.test(e)}function ys(e){return/^<\/a\s*>/i.test(e)}function Hn(e){
let t=e|32;return t>=97&&t<=122}function Es(e,t){let n=e.src,r,i;if(n.startsWith("<!--",t)){if(n.startsWith(">",t+4))return t+5;if(n.startsWith("->",t+4))return t+
6;r=t+4,i="-->"}else if(n.startsWith("<![CDATA[",t))r=t+9,i="]]>";else if(n.charCodeAt(t+1)===63)r=t+2,i="?>";else if(Hn(n.charCodeAt(t+2)))r=t+3,i=">";else return-1;
if(e.skipHtmlSpecial)return-1;let o=n.indexOf(i,r);return o<0?(e.skipHtmlSpecial=!0,-1):o+i.length}function ws(e,t){if(!e.md.options.html)return!1;let n=e.posMax,
r=e.pos;if(e.src.charCodeAt(r)!==60||r+2>=n)return!1;let i,o=e.src.charCodeAt(r+1);if(o===33||o===63)i=Es(e,r);else if(o===47||Hn(o)){let s=e.src.slice(r).match(
In);i=s?r+s[0].length:-1}else return!1;if(i<0)return!1;if(!t){let s=e.push("html_inline","",0);s.content=e.src.slice(r,i),Cs(s.content)&&e.linkLevel++,ys(s.content)&&
e.linkLevel--}return e.pos=i,!0}var Ds=/^&#((?:x[a-f0-9]{1,6}|[0-9]{1,7}));/i,xs=/^&([a-z][a-z0-9]{1,31});/i;function As(e,t){let n=e.pos,r=e.posMax;if(e.src.charCodeAt(
n)!==38||n+1>=r)return!1;if(e.src.charCodeAt(n+1)===35){let i=e.src.slice(n).match(Ds);if(i){if(!t){let o=i[1][0].toLowerCase()==="x"?parseInt(i[1].slice(1),16):
parseInt(i[1],10),s=e.push("text_special","",0);s.content=kt(o)?re(o):re(65533),s.markup=i[0],s.info="entity"}return e.pos+=i[0].length,!0}}else{let i=e.src.slice(
n).match(xs);if(i){let o=te(i[0]);if(o!==i[0]){if(!t){let s=e.push("text_special","",0);s.content=o,s.markup=i[0],s.info="entity"}return e.pos+=i[0].length,!0}}}
return!1}function En(e){let t={},n=e.length;if(!n)return;let r=0,i=-2,o=[];for(let s=0;s<n;s++){let l=e[s];if(o.push(0),(e[r].marker!==l.marker||i!==l.token-1)&&
(r=s),i=l.token,l.length=l.length||0,!l.close)continue;t.hasOwnProperty(l.marker)||(t[l.marker]=[-1,-1,-1,-1,-1,-1]);let u=t[l.marker][(l.open?3:0)+l.length%3],
a=r-o[r]-1,h=a;for(;a>u;a-=o[a]+1){let f=e[a];if(f.marker===l.marker&&f.open&&f.end<0){let m=!1;if((f.close||l.open)&&(f.length+l.length)%3===0&&(f.length%3!==0||
l.length%3!==0)&&(m=!0),!m){let p=a>0&&!e[a-1].open?o[a-1]+1:0;o[s]=s-a+p,o[a]=p,l.open=!1,f.end=s,f.close=!1,h=-1,i=-2;break}}}h!==-1&&(t[l.marker][(l.open?3:0)+
(l.length||0)%3]=h)}}function Fs(e){let t=e.tokens_meta,n=e.tokens_meta.length;En(e.delimiters);for(let i=0;i<n;i++){var r;let o=(r=t[i])===null||r===void 0?void 0:
r.delimiters;o&&En(o)}}function Ss(e){let t,n,r=0,i=e.tokens,o=e.tokens.length;for(t=n=0;t<o;t++)i[t].nesting<0&&r--,i[t].level=r,i[t].nesting>0&&r++,i[t].type===
"text"&&t+1<o&&i[t+1].type==="text"?i[t+1].content=i[t].content+i[t+1].content:(t!==n&&(i[n]=i[t]),n++);t!==n&&(i.length=n)}var mt=[["text",rs],["linkify",ss],[
"newline",ls],["escape",us],["backticks",cs],["strikethrough",Bn.tokenize],["emphasis",Nn.tokenize],["link",ms],["image",gs],["autolink",vs],["html_inline",ws],
["entity",As]],gt=[["balance_pairs",Fs],["strikethrough",Bn.postProcess],["emphasis",Nn.postProcess],["fragments_join",Ss]],jn=class{constructor(){k(this,"ruler",
new ue),k(this,"ruler2",new ue),k(this,"State",On);for(let e=0;e<mt.length;e++)this.ruler.push(mt[e][0],mt[e][1]);for(let e=0;e<gt.length;e++)this.ruler2.push(gt[e][0],
gt[e][1])}skipToken(e){let t=e.pos,n=this.ruler.getRules(""),r=n.length,i=e.md.options.maxNesting,o=e.cache;if(typeof o[t]<"u"){e.pos=o[t];return}let s=!1;if(e.
level<i){for(let l=0;l<r;l++)if(e.level++,s=n[l](e,!0),e.level--,s){if(t>=e.pos)throw new Error("inline rule didn't increment state.pos");break}}else e.pos=e.posMax;
s||e.pos++,o[t]=e.pos}tokenize(e){let t=this.ruler.getRules(""),n=t.length,r=e.posMax,i=e.md.options.maxNesting;for(;e.pos<r;){let o=e.pos,s=!1;if(e.level<i){for(let l=0;l<
n;l++)if(s=t[l](e,!1),s){if(o>=e.pos)throw new Error("inline rule didn't increment state.pos");break}}if(s){if(e.pos>=r)break;continue}e.pending+=e.src[e.pos++]}
e.pending&&e.pushPending()}parse(e,t,n,r){let i=new this.State(e,t,n,r);this.tokenize(i);let o=this.ruler2.getRules(""),s=o.length;for(let l=0;l<s;l++)o[l](i)}},
_s={default:{options:{html:!1,xhtmlOut:!1,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\u201C\u201D\u2018\u2019",highlight:null,maxNesting:100},
components:{core:{},block:{},inline:{}}},zero:{options:{html:!1,xhtmlOut:!1,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\u201C\u201D\u2018\u2019",
highlight:null,maxNesting:20},components:{core:{rules:["normalize","block","strip_references","inline","text_join"]},block:{rules:["paragraph"]},inline:{rules:[
"text"],rules2:["balance_pairs","fragments_join"]}}},commonmark:{options:{html:!0,xhtmlOut:!0,breaks:!1,langPrefix:"language-",linkify:!1,typographer:!1,quotes:"\
\u201C\u201D\u2018\u2019",highlight:null,maxNesting:20},components:{core:{rules:["normalize","block","strip_references","inline","text_join"]},block:{rules:["bl\
ockquote","code","fence","heading","hr","html_block","lheading","list","reference","paragraph"]},inline:{rules:["autolink","backticks","emphasis","entity","esca\
pe","html_inline","image","link","newline","text"],rules2:["balance_pairs","emphasis","fragments_join"]}}}},Ts=/^(vbscript|javascript|file|data):/,Ms=/^data:image\/(gif|png|jpeg|webp);/,
wn=["http:","https:","mailto:"],O=class{validateLink(e){let t=e.trim().toLowerCase();return Ts.test(t)?Ms.test(t):!0}normalizeLink(e){let t=ee(e,!0);if(t.hostname&&
(!t.protocol||wn.indexOf(t.protocol)>=0))try{t.hostname=dt.toASCII(t.hostname)}catch{}return t.auth&&(t.auth=N(t.auth)),t.hostname&&(t.hostname=N(t.hostname)),t.
pathname&&(t.pathname=N(t.pathname)),t.search&&(t.search=N(t.search)),t.hash&&(t.hash=N(t.hash)),Y(t)}normalizeLinkText(e){let t=ee(e,!0);if(t.hostname&&(!t.protocol||
wn.indexOf(t.protocol)>=0))try{t.hostname=dt.toUnicode(t.hostname)}catch{}return J(Y(t),J.defaultChars+"%")}constructor(...e){k(this,"inline",new jn),k(this,"bl\
ock",new Pn),k(this,"core",new Mn),k(this,"renderer",new Sn),k(this,"linkify",new Me),k(this,"utils",Qi),k(this,"helpers",Object.assign({},mo));let[t,n]=e;typeof t==
"string"?(this.configure(t),n&&this.set(n)):(this.configure("default"),this.set(t||{}))}set(e){return Object.assign(this.options,e),this}configure(e){let t;if(typeof e==
"string"){let i=e;if(t=_s[i],!t)throw new Error(`Wrong 'markdown-it' preset "${i}", check name`)}else t=e;if(!t)throw new Error("Wrong `markdown-it` preset, can\
't be empty");t.options&&(this.options={...t.options});let n=t.components;if(n){var r;["core","block","inline"].forEach(o=>{var s;let l=(s=n[o])===null||s===void 0?
void 0:s.rules;l&&this[o].ruler.enableOnly(l)});let i=(r=n.inline)===null||r===void 0?void 0:r.rules2;i&&this.inline.ruler2.enableOnly(i)}return this}enable(e,t=!1){
let n=[];Array.isArray(e)||(e=[e]),["core","block","inline"].forEach(i=>{n=n.concat(this[i].ruler.enable(e,!0))}),n=n.concat(this.inline.ruler2.enable(e,!0));let r=e.
filter(i=>n.indexOf(i)<0);if(r.length&&!t)throw new Error(`MarkdownIt. Failed to enable unknown rule(s): ${r}`);return this}disable(e,t=!1){let n=[];Array.isArray(
e)||(e=[e]),["core","block","inline"].forEach(i=>{n=n.concat(this[i].ruler.disable(e,!0))}),n=n.concat(this.inline.ruler2.disable(e,!0));let r=e.filter(i=>n.indexOf(
i)<0);if(r.length&&!t)throw new Error(`MarkdownIt. Failed to disable unknown rule(s): ${r}`);return this}use(e,...t){return e.apply(e,[this,...t]),this}parse(e,t){
if(typeof e!="string")throw new Error("Input data should be a String");let n=new this.core.State(e,this,t);return this.core.process(n),n.tokens}render(e,t={}){return this.
renderer.render(this.parse(e,t),this.options,t)}parseInline(e,t){let n=new this.core.State(e,this,t);return n.inlineMode=!0,this.core.process(n),n.tokens}renderInline(e,t={}){
return this.renderer.render(this.parseInline(e,t),this.options,t)}};k(O,"Token",z);k(O,"Ruler",ue);k(O,"Renderer",Sn);k(O,"ParserCore",Mn);k(O,"StateCore",_n);k(
O,"ParserBlock",Pn);k(O,"StateBlock",Rn);k(O,"ParserInline",jn);k(O,"StateInline",On);var qn=xn(O);var Rs="blockquote code emphasis escape fence heading hr image link list newline strikethrough table backticks".split(" "),vt=20,zn=1e5,Ct=new qn("zero",{maxNesting:2*
vt}).enable(Rs);Ct.normalizeLink=e=>e;Ct.validateLink=()=>!0;var Ls={paragraph:["p","paragraph"],heading:["h5","heading"],blockquote:["blockquote","quoted"],bullet_list:[
"ul","list"],ordered_list:["ol","list"],list_item:["li",""],table:["table","table"],thead:["thead",""],tbody:["tbody",""],tr:["tr",""],th:["th",""],td:["td",""],
strong:["strong",""],em:["em",""],s:["s",""],link:["span","address"]},ae=class{constructor(t){this.el=t;t.hidden=!0,this.following=new j(t)}el;shown="";done=0;blocks=0;following;set(t){
if(t===this.shown)return;let n=t.replace(/\r\n?/g,`
`);n.startsWith(this.shown.slice(0,this.done))||([this.done,this.blocks]=[0,0]);let{nodes:r,last:i}=$s(n.slice(this.done));Wn(this.el,this.blocks,r),this.blocks+=
Math.max(0,r.length-1),this.done+=i,this.shown=n,this.el.hidden=n==="",this.following.grown()}};function $s(e){let t=e.length>zn?[]:Ct.parse(e,{});if(e.length>zn||
t.some(({level:i})=>i>vt))return{nodes:[Is(e)],last:0};let n=t.findLast(({level:i,nesting:o})=>i===0&&o>=0)?.map?.[0]??0,r=document.createDocumentFragment();return Un(
t,r),{nodes:[...r.childNodes],last:e.split(`
`,n).reduce((i,{length:o})=>i+o+1,0)}}function Is(e){return c("p","paragraph as-it-is",g(e))}function Un(e,t){let n=[t],r=[];for(let i of e){let o=n.at(-1);/^(em|strong)_/.
test(i.type)&&i.markup.startsWith("_")?o.appendChild(document.createTextNode(i.markup)):i.nesting<0?(i.type==="link_close"&&o.appendChild(Vn(r.pop()??"")),i.hidden||
n.pop()):i.type==="inline"?Un(i.children??[],o):i.nesting===0?o.appendChild(Os(i)):i.hidden||(i.type==="link_open"&&r.push(String(i.attrGet("href")??"")),n.push(
n.length>vt?o:o.appendChild(Ps(i))))}}function Ps(e){let[t,n]=Ls[e.type.replace(/_open$/,"")]??["span",""],r=c(t,e.attrGet("style")==="text-align:right"?"numeri\
c":n),i=e.type==="ordered_list_open"?e.attrGet("start"):null;return i!==null&&r.setAttribute("start",String(i)),r}function Os(e){switch(e.type){case"code_inline":
return c("code","",g(e.content));case"fence":case"code_block":return c("pre","sample",c("code","",g(e.content.replace(/\n$/,""))));case"hr":return c("hr","rule");case"\
softbreak":case"hardbreak":return c("br","");case"image":return c("span","address",`Image: ${g(e.content)}`,Vn(String(e.attrGet("src")??"")));default:return document.
createTextNode(g(e.content))}}function Vn(e){return document.createTextNode(e===""?"":` (${g(e)})`)}function Wn(e,t,n){let r=t===0?e.firstChild:e.childNodes[t]??
null;for(let i of n){let o=r?.nextSibling??null;r===null?e.appendChild(i):Bs(r,i)||e.replaceChild(i,r),r=o}for(;r!==null;){let i=r.nextSibling;e.removeChild(r),
r=i}}function Bs(e,t){return e instanceof Text&&t instanceof Text?(t.data.startsWith(e.data)?t.length>e.length&&e.appendData(t.data.slice(e.length)):e.data=t.data,
!0):e.cloneNode(!1).isEqualNode(t.cloneNode(!1))?(Wn(e,0,[...t.childNodes]),!0):!1}var Oe=["image/png","image/jpeg","image/gif","image/webp"];function ce(e,t){if(t.length>7e6)return"larger than 5 MB";if(t===""||!/^[A-Za-z0-9+/=\s]+$/.test(t))return"not base64";let n=Ns(e,t);return n===null?`not what i\
t claims to be, ${e}`:n[0]*n[1]>4e7?`${n[0]} by ${n[1]} pixels`:""}function Ns(e,t){let n=Hs(t),r=n===null?null:js[e]?.(n)??null;return r!==null&&r[0]>0&&r[1]>0?
r:null}function Hs(e){let t=e.slice(0,4e5).replace(/\s/g,"");try{let n=atob(t.slice(0,t.length-t.length%4));return new DataView(Uint8Array.from(n,r=>r.charCodeAt(
0)).buffer)}catch{return null}}var js={"image/png":qs,"image/gif":zs,"image/jpeg":Us,"image/webp":Vs};function I(e,t,n){return e.byteLength>=t+n.length&&[...n].
every((r,i)=>e.getUint8(t+i)===r.charCodeAt(0))}function qs(e){return e.byteLength<24||!I(e,0,`\x89PNG\r

`)||!I(e,12,"IHDR")?null:[e.getUint32(16),e.getUint32(20)]}function zs(e){return e.byteLength<10||!(I(e,0,"GIF87a")||I(e,0,"GIF89a"))?null:[e.getUint16(6,!0),e.
getUint16(8,!0)]}function Us(e){if(!I(e,0,"\xFF\xD8"))return null;let t=2;for(;t+9<=e.byteLength&&e.getUint8(t)===255;){let n=e.getUint8(t+1);if(n===255)t+=1;else{
if(n>=192&&n<=207&&![196,200,204].includes(n))return[e.getUint16(t+7),e.getUint16(t+5)];t+=2+Math.max(e.getUint16(t+2),2)}}return null}function Vs(e){if(e.byteLength<
30||!I(e,0,"RIFF")||!I(e,8,"WEBP"))return null;if(I(e,12,"VP8 ")&&I(e,23,"\x9D*"))return[e.getUint16(26,!0)&16383,e.getUint16(28,!0)&16383];if(I(e,12,"VP8L")&&
e.getUint8(20)===47){let t=e.getUint32(21,!0);return[(t&16383)+1,(t>>>14&16383)+1]}return I(e,12,"VP8X")?[Kn(e,24)+1,Kn(e,27)+1]:null}function Kn(e,t){return e.
getUint16(t,!0)+e.getUint8(t+2)*65536}var Ws="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",Ks="html{background:#fff;color:#1f2328;font:13px/1.5 \
system-ui,sans-serif;overflow-wrap:anywhere}table{border-collapse:collapse}td,th{padding:2px 8px;text-align:right}img{max-width:100%}",Zn=1e6,Gs=2e4,Zs=100,Ys=new Set(
"A ABBR ARTICLE B BLOCKQUOTE BR CAPTION CODE COL COLGROUP DD DEL DETAILS DIV DL DT EM FIGCAPTION FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER HR I IMG INS KBD LI MAIN\
 MARK OL P PRE Q S SAMP SECTION SMALL SPAN STRONG STYLE SUB SUMMARY SUP TABLE TBODY TD TFOOT TH THEAD TIME TR U UL VAR".split(" ")),Xs=new Set("SCRIPT TEMPLATE \
NOSCRIPT IFRAME OBJECT EMBED APPLET FRAME FRAMESET PORTAL TITLE TEXTAREA SELECT SVG MATH".split(" ")),Qs=new Set("align alt class colspan dir height id lang ope\
n rowspan scope span start style title valign width".split(" ")),Js=/^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;function Yn(e,t,n){let r=e!==
void 0?nl(e):t!==void 0?il(t):"";if(r==="")return null;let i=e!==void 0?"HTML":"SVG",o=L(`As ${i}, without scripts and network`),s=()=>{o.open&&o.querySelector(
"iframe")===null&&o.append(el(r,i))};return o.addEventListener("toggle",s),o.open=n,s(),o}function el(e,t){let n=c("iframe","frame");return n.setAttribute("sand\
box",""),n.setAttribute("referrerpolicy","no-referrer"),n.setAttribute("allow",""),n.title=`${t} that the code made`,n.style.height=`${tl(e)}em`,n.srcdoc=`<!doc\
type html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${Ws}"><style>${Ks}</style><body>${e}`,n}function tl(e){let t=e.match(/<(?:tr|p|h\d|li|br|pre|div|dt|dd)\b|\n/g)?.
length??0;return Math.min(30,4+1.8*t+(e.includes("<img")?20:0))}function nl(e){if(e.length>Zn)return"";let t=new DOMParser().parseFromString(e,"text/html"),n=document.
implementation.createHTMLDocument(""),r={nodes:Gs};for(let i of[t.head,t.body])Xn(n.body,i,r,0);return n.body.textContent?.trim()===""&&n.body.querySelector("im\
g, hr")===null?"":n.body.innerHTML}function Xn(e,t,n,r){if(!(r>Zs))for(let i of t.childNodes){if(n.nodes--<=0)return;if(i.nodeType===Node.TEXT_NODE&&e.append(i.
nodeValue??""),!(i instanceof Element))continue;let o=i.tagName.toUpperCase();if(Xs.has(o))continue;let s=Ys.has(o)?rl(e.ownerDocument,i,o):e;s!==null&&(s!==e&&
e.append(s),Xn(s,i,n,r+1))}}function rl(e,t,n){let r=e.createElement(n);for(let{name:o,value:s}of t.attributes)Qs.has(o)&&!(o==="style"&&/position|url\s*\(|\\/i.
test(s))&&r.setAttribute(o,s);if(n!=="IMG")return r;let i=Js.exec(t.getAttribute("src")??"");return i===null||ce(i[1],i[2])!==""?null:(r.setAttribute("src",i[0]),
r)}function il(e){if(e.length>Zn||/<!ENTITY|<!DOCTYPE[^>]*\[|<(?:\w+:)?(?:fe)?image\b/i.test(e)||ol(e))return"";let t=new TextEncoder().encode(e),n=Array.from(t,
r=>String.fromCharCode(r)).join("");return`<img alt="" src="data:image/svg+xml;base64,${btoa(n)}">`}function ol(e){let t=new DOMParser().parseFromString(e,"imag\
e/svg+xml");if(t.querySelector("parsererror")!==null)return!0;let n=[...t.querySelectorAll("*")];if(n.some(s=>s.localName==="style"&&(s.textContent??"").includes(
"url(")))return!0;let r=n.filter(s=>s.localName==="use"),i=new Set(r.flatMap(s=>[...s.attributes].filter(({localName:l})=>l==="href").map(({value:l})=>l.replace(
/^#/,""))));return r.some(s=>Gn(s,({id:l})=>i.has(l)))?!0:n.filter(s=>[...s.attributes].some(({value:l})=>l.includes("url("))).some(s=>Gn(s,({localName:l})=>sl.
has(l)))}var sl=new Set(["pattern","marker","mask","clipPath"]);function Gn(e,t){for(let n=e;n!==null;n=n.parentElement)if(t(n))return!0;return!1}function Jn(e,t){let n=e.is_final_answer&&e.error===null,r=n||cl(e)?"":e.result,i=n?e.outputs.filter(o=>nr(o)!==void 0||!tr(o,e.result)):e.outputs;return[...dl(
e).map(o=>c("p","note",o)),...i.flatMap(o=>hl(o)),r!==""&&vl("Result",Be("result",g(r))),e.error!==null&&kl(e.error,t),e.changed.length>0&&ll(e.changed),e.files.
length>0&&al(e.files)]}function ll(e){return e.length<=ul?c("p","changed","Wrote ",...Qn(e)):L(`Wrote ${T(e.length,"name")}`,c("p","changed",...Qn(e)))}var ul=20;
function al(e){let t=c("span","quiet"," \xB7 keep with: %agent files keep NAME");return c("p","files",`Files written: ${pe(e)}`,t)}function er(){return Be("prin\
ted","")}function cl(e){return e.outputs.some(t=>tr(t,e.result))}function tr(e,t){return e.data["text/plain"]===t}function nr(e){return Oe.find(t=>e.data[t]!==void 0&&
ce(t,e.data[t])==="")}function dl(e){let t=[];return e.dropped>0&&t.push(`${T(e.dropped,"character")} of output left out.`),e.state_lost&&t.push("The sandbox wa\
s restarted: variables of earlier steps are gone."),t}function hl(e){let t=nr(e),{[G]:n,"text/plain":r,"text/html":i,"image/svg+xml":o}=e.data;if(t!==void 0)return[
gl(t,e.data[t],r??"")];let s=n===void 0?null:ve(n);if(s!==null)return[s];let l=r!==void 0&&!/^<.*>$/s.test(r.trim()),u=Yn(i,o,!l),a=[...pl(e),r!==void 0&&(l||u===
null)&&Be("result",g(r)),u];if(a.some(f=>f))return a;let h=[...Object.keys(e.data).filter(f=>f!==rr),...Object.keys(ir(e))];return[c("p","note",`Not shown: ${g(
h.join(", "))||"an empty output"}`)]}var rr="application/vnd.smolcell.refused+json",fl=[...Oe,"image/svg+xml","text/html",G];function pl(e){return[...Oe.map(r=>[
r,e.data[r]===void 0?"":ce(r,e.data[r])]),...Object.entries(ir(e)).filter(([r])=>fl.includes(r))].filter(([,r])=>r!=="").map(([r,i])=>c("p","note",`${ml[r]??"An\
 image"} is not shown: ${g(String(i))}.`))}var ml={"text/html":"HTML","image/svg+xml":"An SVG image",[G]:"A table"};function ir(e){try{let t=JSON.parse(e.data[rr]??
"{}");return typeof t=="object"&&t!==null?{...t}:{}}catch{return{}}}function gl(e,t,n){let r=c("img","image");return r.alt=g(n).slice(0,200)||"An image the code\
 made",r.src=`data:${e};base64,${t.replace(/\s/g,"")}`,r}function kl(e,t){let n=e.line>0?t.split(`
`)[e.line-1]:void 0,r=new Z(Be("traceback",""));return r.set(e.traceback),c("div","fault",c("p","fault-title",c("strong","",g(e.type)||"Error"),e.message===""?null:
`: ${g(e.message)}`),c("p","fault-kind",bl[e.kind]??""),n!==void 0&&c("div","fault-line",c("span","",`line ${e.line}`),c("code","",g(n).trim())),e.traceback!==""&&
r.el)}var bl={forbidden:"The guard refused this; it is not allowed in the sandbox.",limit:"A limit ended this step.",sandbox:"The sandbox ended.",stopped:"Stopp\
ed by a person."};function vl(e,t){return t.setAttribute("aria-label",e),t}function Be(e,t){let n=c("pre",e,t);return n.tabIndex=0,n.setAttribute("role","group"),
n.setAttribute("aria-label",e==="printed"?"Printed output":"Output"),n}function Qn(e){return e.flatMap((t,n)=>[n>0?", ":null,c("code","",g(t))])}var Cl={thinking:"thinking",pending:"waiting",allowed:"running",running:"running",done:"done",refused:"refused",unparsed:"no code",cut:"cut short"},yl={person:"\
you",policy:"the policy",auto:"auto-approval",remembered:"your earlier approval",caller:"the caller",deny:"the deny setting",nobody:"nobody: there was no one to\
 ask"},Ne=class{constructor(t,n){this.desk=t;this.runs=n;this.el=c("section","step",c("div","step-head",c("h4","step-title",this.toggle),this.facts),this.reasoningFold,
this.thought.el,this.draft.el,this.code.el,this.decision.el,this.place,this.tools.el,this.runs.el,this.printed.el,this.seen.el),this.collapse(!1)}desk;runs;el;controls=null;drawn=null;toggle=F(
"","step-toggle",()=>this.collapse(this.el.dataset.collapsed!=="true"));facts=c("div","step-facts");reasoningText=c("div","reasoning");reasoning=new ae(this.reasoningText);reasoningFold=L(
"Reasoning",this.reasoningText);thought=new ae(c("div","thought"));draft=new he(c("pre","draft"));code=new _(c("div","part"));decision=new _(c("div","decision"));place=c(
"div","place");printed=new Z(er());tools=new _(c("div","part"));seen=new _(c("div","part"));head=new _(this.facts);update(t,n,r){t!==this.drawn&&this.drawParts(
t),this.drawn=t,this.drawControls(t,n!==null&&n.fingerprint===t.fingerprint?n:null),this.runs.update(t.runs,r),this.waiting()!==void 0&&this.el.dataset.collapsed===
"true"&&this.collapse(!1)}shows(t){return t===this.drawn&&this.controls===null&&t.runs.length===0}waiting(){return this.controls===null?this.runs.waiting():this}get step(){
return this.drawn}collapse(t){this.el.dataset.collapsed=String(t&&this.waiting()===void 0),this.toggle.setAttribute("aria-expanded",String(this.el.dataset.collapsed===
"false"))}take(t){this.controls?.take(t)}drawParts(t){this.el.setAttribute("aria-label",sr(t)),this.el.dataset.call=String(t.call),this.el.dataset.status=Et(t)?
"failed":t.status,this.el.dataset.step=String(t.n),this.toggle.textContent!==or(t)&&(this.toggle.textContent=or(t)),this.head.draw([t.status,t.usage,t.observation,
t.kind],()=>El(t)),this.reasoning.set(t.reasoning.trim()),this.reasoningFold.hidden=t.reasoning==="";let[n,r]=t.reply===""?[t.thought,""]:Ml(t.reply);this.thought.
set(n.trim()),this.draft.set(g(r)),this.code.draw([t.code,t.kind,t.findings,t.edited,t.observation===null,wt(t)],()=>Dl(t)),this.decision.draw([t.status,t.by,t.
scope,t.comment,t.reason],()=>Tl(t)),this.tools.draw([t.tools],()=>Fl(t.tools)),this.printed.set(t.observation===null?t.output:t.observation.stdout),this.seen.draw(
[t.observation],()=>t.observation===null?[]:Jn(t.observation,t.edited??t.code))}drawControls(t,n){let r=n!==null&&t.status==="pending"?n:null;if(r?.fingerprint!==
this.controls?.pending.fingerprint){if(this.controls?.close(),this.controls=null,this.showCode(!0),r!==null){let i=[...this.code.el.querySelectorAll(".smolcell-\
line")];this.controls=new Fe(this.desk,t,r,i,o=>this.showCode(o!=="edit"))}this.collapse(!1),this.place.replaceChildren(...this.controls===null?[]:[this.controls.
el])}}showCode(t){let n=this.code.el.querySelector(":scope > .smolcell-code");n!==null&&(n.hidden=!t)}};function Et(e){return e.observation?.error!=null}function wt(e){
return e.observation?.error?.line??0}function El(e){let t=c("span",`status ${Et(e)?"failed":e.status}`,Et(e)?"error":Cl[e.status]),n=e.observation===null?"":`ra\
n ${$(e.observation.duration)}`,r=e.duration>0?`model ${$(e.duration)}`:"",i=B(r,n,e.usage===null?"":V(e.usage),e.usage===null?"":W(e.usage));return[t,c("span",
"figures",i)]}function sr({n:e,call:t}){return t===0?`Step ${e}`:`Step ${e}, call ${t}`}var wl={code:"",call:": a tool call",plan:": a plan",budget:": the budge\
t is spent",question:": a question to you"};function or(e){return sr(e)+(e.kind==="call"&&e.call===0?"":wl[e.kind])}function Dl(e){if(e.code==="")return[];let t=e.
observation===null?e.findings:e.findings.filter(({kind:n})=>n!=="name");return e.edited===null?[De(e.code,e.kind,t,wt(e)),it(t)]:[c("p","note","Edited by you. T\
his ran:"),De(e.edited,e.kind,[],wt(e)),xl(e.code,e.edited),L("What the model proposed",De(e.code,e.kind,t),it(t))]}function xl(e,t){let n=nn(e,t),r=L("What you\
 changed",rn(n));return r.open=n.filter(({sign:i})=>i!==" ").length<=Al,r}var Al=20;function Fl(e){if(e.length===0)return[];let t=e.reduce((r,{times:i})=>r+i,0),
n=L(`Tools called: ${t}`,c("ul","calls",...e.map(_l)));return n.open=e.length<=Sl||e.some(({error:r})=>r!==""),[n]}var Sl=5;function _l({text:e,result:t,error:n,
duration:r,times:i}){let o=n===""?c("code","quiet",g(t)):c("span","fault-title",g(n)),s=B(i>1?`${i} times, such as this`:"",$(r)),l=t===""&&n===""?"":" \u2192 ";
return c("li","call",c("code","",g(e)),l,o,c("span","figures",` \xB7 ${s}`))}function Tl(e){let t=yl[e.by]??g(e.by);if(e.status==="unparsed")return[c("p","note",
"The reply held no program. The model was told: ",yt(e.reason))];if(e.status==="refused")return[c("p","note",`Refused by ${t}`,e.reason===""?".":": ",yt(e.reason))];
if(e.by==="")return[];let n=e.kind==="question"?"Answered":"Approved",r=e.scope==="run"?e.kind==="plan"?", with every plan of this run":", with the rest of this\
 run":e.scope==="kind"?", with others of its kind in this session":"";return[c("p","quiet",`${n} by ${t}${r}`,e.comment===""?".":": ",yt(e.comment))]}function yt(e){
return e===""?null:c("q","quote",g(e))}function Ml(e){let t=/<code>|```[a-z]*\n?|^(?=\s*\{)/m.exec(e),n=e.slice(0,t?.index).replace(/^\s*Thought:\s*/,"");return t===
null?[n,""]:[n,e.slice(t.index+t[0].length).replace(/\s*(<\/code>|```)\s*$/,"").trimStart()]}var Rl=50,de=class{constructor(t){this.desk=t}desk;el=c("div","steps");views=[];found;batch=this.el;update(t,n){t.steps.forEach((r,i)=>{let o=this.views[i]??this.
add(),s=n!==null&&n.run===t.run&&n.step===r.n?n:null;(s!==null||!o.shows(r))&&o.update(r,s,n)}),this.cut(t.steps.length),this.found=this.views.findLast(r=>r.waiting()!==
void 0)?.waiting()}waiting(){return this.found}cut(t){for(let n of this.views.splice(t))n.el.remove();for(;this.batch!==this.el&&this.batch.firstChild===null;){
let n=this.batch.previousElementSibling;this.batch.remove(),this.batch=n?.classList.contains("smolcell-batch")===!0?n:this.el}}add(){let t=new Ne(this.desk,new Dt(
this.desk));return this.views.length%Rl===0&&this.views.length>0&&(this.batch=this.el.appendChild(c("div","batch"))),this.views.push(t),this.batch.append(t.el),
t}},Dt=class{constructor(t){this.desk=t;this.el.hidden=!0}desk;el=c("div","runs");views=[];update(t,n){this.el.hidden!==(t.length===0)&&(this.el.hidden=t.length===
0),t.forEach((r,i)=>(this.views[i]??this.add()).update(r,n));for(let r of this.views.splice(t.length))r.el.remove()}waiting(){return this.views.findLast(t=>t.steps.
waiting()!==void 0)?.steps.waiting()}add(){let t=new xt(this.desk);return this.views.push(t),this.el.append(t.el),t}},xt=class{el;steps;summary=new _(c("summary",
"summary"));task=new _(c("div","task-part"));answered=new _(c("div","answer"));foot=new _(c("div","foot"));constructor(t){this.steps=new de(t),this.el=c("detail\
s","fold run",this.summary.el,this.task.el,this.steps.el,this.answered.el,this.foot.el),this.el.open=!0}update(t,n){this.el.dataset.run!==t.run&&this.name(t),n!==
null&&(n.run===t.run||n.run.startsWith(`${t.run}-`))&&!this.el.open&&(this.el.open=!0),this.summary.draw([t.agent,t.model,t.boundary,t.phase,t.ended],()=>[Ll(t)]),
this.task.draw([t.task],()=>[c("div","task",g(t.task))]),this.steps.update(t,n),this.answered.draw([t.answer],()=>Ce(t)),this.foot.draw([t.ended],()=>$l(t))}name(t){
this.el.dataset.run=t.run,this.el.setAttribute("aria-label",`Run of the agent ${g(t.agent)}`)}};function Ll(e){let t=e.ended===null?e.phase:Xe[e.ended.state]??e.
ended.state,n=e.boundary===null?e.sandbox:e.boundary.where;return c("span","",c("strong","",`Agent ${g(e.agent)}`),` \xB7 ${B(t.toLowerCase(),g(e.model),g(n))}`)}
function $l({ended:e}){if(e===null)return[];let t=B(T(e.steps,"step"),$(e.duration),V(e.usage),W(e.usage));return[c("p","quiet",t),e.error!==""&&c("p","fault-ti\
tle",g(e.error))]}var He=class{constructor(t,n,r){this.feed=t;this.post=n;this.el.tabIndex=0,this.el.setAttribute("role","region"),this.el.setAttribute("aria-label","Agent run");
let i=c("div","head",c("div","head-text",this.task.el,this.head.el));this.list=new de(this),this.el.append(this.rule.el,i,this.list.el,this.notices.el,this.now,
this.answered.el,this.foot.el,this.exported.el,this.announcer.el),this.lookout=new Ee(this.el,()=>this.arm(),r),this.borrowed=new ge(this.el,r),this.record=new ye(
this.el,()=>this.post.record(this.feed.state.run),r),this.listen(r),this.update()}feed;post;el=c("div","card");task=new _(c("div","task-part"));head=new _(c("di\
v","head-parts"));stopButton=F("Stop run","stop",()=>this.stop());rule=new _(document.createElement("style"));list;notices=new _(c("div","notices"));progress=c(
"div","progress");now=c("div","now",this.progress,this.stopButton);announcer=new me;answered=new _(c("div","answer"));foot=new _(c("div","foot"));record;exported=new ke(
()=>this.post.export(this.feed.state.run));lookout;borrowed;phase="";since=performance.now();stopping=!1;over=!1;answer(t,n){return this.borrowed.keep(),this.post.
answer(t,n)}clickCounts(){return this.lookout.clickCounts()}update(){let{state:t}=this.feed,n=this.waiting()?.controls??null,r=t.ended!==null&&!this.over,i=K(this.
el.ownerDocument.activeElement);r&&this.borrowed.keep();let o=n?.el.contains(this.el.ownerDocument.activeElement)??!1;this.drawEnds(t),this.list.update(t,this.feed.
link==="live"?this.feed.pending:null);let s=this.waiting()?.controls??null;s!==n&&this.turned(o),s?.take(this.feed.verdict),this.announcer.tell(t,this.waiting()?.
step??void 0,this.feed.pending?.run),t.phase!==this.phase&&([this.phase,this.since]=[t.phase,performance.now()]),this.tick(),this.arm(),this.over=t.ended!==null,
r&&!i&&this.borrowed.giveBack()}waiting(){return this.list.waiting()}drawEnds(t){this.el.dataset.link=this.feed.link,this.el.dataset.run=t.run,this.rule.draw([t.
run],()=>[`.smolcell-run-${t.run.replace(/[^A-Za-z0-9-]/g,"")} { display: none; }`]),this.task.draw([t.task],()=>t.task===""?[]:zt(t)),this.head.draw([t.run,t.boundary,
t.variables,t.model],()=>t.run===""?[]:qt(t)),this.stopButton.hidden=t.ended!==null||this.feed.link!=="live",this.stopButton.disabled=this.stopping;let n=String(
!this.stopButton.hidden&&this.feed.pending===null);this.now.dataset.floating!==n&&(this.now.dataset.floating=n),this.notices.draw([t.notices.length],()=>t.notices.
map(r=>c("p","note",g(r.text)))),this.answered.draw([t.answer],()=>Ce(t)),this.foot.draw([t.ended],()=>Ut(t)),this.exported.update(this.feed),this.record.update(
this.feed)}turned(t){let n=this.waiting()?.controls??null;this.lookout.watch(n?.el??null),(t||n!==null&&Ot(this.el))&&this.el.focus({preventScroll:!0})}arm(){this.
waiting()?.controls?.arm(this.lookout.clickCounts()||this.onlyUnfocused()),this.el.dataset.armed=String(this.waiting()!==void 0&&this.lookout.keyCounts())}onlyUnfocused(){
let{drawn:t,pageVisible:n}=this.lookout.sight;return t!==null&&n!==null&&performance.now()-Math.max(t,n)>=500}stop(){this.borrowed.keep(),this.stopping=!0,this.
stopButton.disabled=!0,this.stopButton.textContent="Stopping\u2026",this.post.stop(this.feed.state.run)}listen(t){window.addEventListener("keydown",r=>this.keyDown(
r),{capture:!0,signal:t}),this.el.addEventListener("keydown",r=>K(r.target)&&r.stopPropagation(),{signal:t});let n=setInterval(()=>this.tick(),1e3);t.addEventListener(
"abort",()=>clearInterval(n))}keyDown(t){let n=t.composedPath()[0]??null;if(!t.composedPath().includes(this.el)||K(n)||!It(t)||this.over&&t.key==="Enter"&&t.shiftKey)
return;t.stopImmediatePropagation(),this.lookout.keyCounts()||this.lookout.typed();let r=$t(t);if(r===null)return;t.preventDefault();let i=this.waiting();i===void 0?
r==="stop"&&!this.stopButton.hidden&&!this.stopping&&this.stop():this.lookout.keyCounts()?i.controls?.press(r):this.lookout.sight.inView===null&&Il(i)}tick(){let t=this.
doing();this.progress.textContent!==t&&(this.progress.textContent=t),this.progress.hidden=t===""}doing(){let{state:t,link:n,pending:r}=this.feed;if(n==="dead")return"\
The kernel that ran this is gone, or was restarted. Nothing here can run any more.";if(n==="connecting")return"Waiting for the kernel\u2026";if(n==="over")return t.
ended===null?"This run is over.":"";let i=$(Math.floor((performance.now()-this.since)/1e3)).replace(".0",""),o=Pl[t.phase]??"";if(r!==null)return"Waiting for yo\
ur decision.";if(t.phase==="asking")return"Checking\u2026";let s=t.phase==="thinking"&&t.boundary===null&&t.progress===""?" \xB7 the sandbox is starting":"";return`${o}\
\u2026 ${i}${s}${t.progress===""?"":` \xB7 ${g(t.progress)}`}`}};function Il(e){(e.el.getBoundingClientRect().height<window.innerHeight?e.el:e.controls?.el)?.scrollIntoView(
{block:"nearest"})}var Pl={opening:"Starting",thinking:"Thinking",running:"Running"};var St={run:"",agent:"",task:"",variables:[],files:[],tools:[],lost:[],images:0,model:"",sandbox:"",approve:"",session:"",resumes:"",boundary:null,phase:"openin\
g",progress:"",steps:[],notices:[],answer:null,ended:null};function je(e,t=[]){return t.reduce(ze,e.reduce(qe,St))}function qe(e,t){if(e.run!==""&&t.run!==e.run)
return Ol(e,t);let n=Bl(e,t);return n===e||n.progress===""?n:{...n,progress:""}}function Ol(e,t){if(t.event!=="Asked"||t.parent!==e.run)return ar(e,i=>qe(i,t));
let{parent_step:n=0,parent_call:r=0}=t;return M(e,n,i=>({...i,runs:[...i.runs,je([t])]}),r)}function ar(e,t){let n=!1,r=e.steps.map(i=>{let o=i.runs.map(t);return o.
every((s,l)=>s===i.runs[l])?i:(n=!0,{...i,runs:o})});return n?{...e,steps:r}:e}function Bl(e,t){switch(t.event){case"Asked":return Hl(e,t);case"Opened":return{...e,
boundary:t.boundary};case"Replied":return{...M(jl(e,t),t.step,ql(t)),phase:"thinking"};case"Unparsed":return{...M(e,t.step,zl(t)),phase:"thinking"};case"Trimmed":
return{...e,notices:[...e.notices,{step:t.step,text:tu(t.steps)}]};case"Proposed":return{...Ul(e,t),phase:"asking"};case"Allowed":return Kl(M(e,t.step,Wl(t),t.call),
t);case"Refused":return lr(M(e,t.step,Gl(t),t.call),t.step);case"Called":return M(e,t.step,Yl(t));case"Observed":return lr(M(e,t.step,Xl(t),t.call),t.step);case"\
Answered":return{...M(e,t.step,Ql),answer:{step:t.step,text:t.text}};case"Ended":return Jl(e,t);default:return e}}function ze(e,t){if((t.run??e.run)!==e.run)return ar(
e,n=>ze(n,t));switch(t.channel){case"progress":return{...e,progress:t.text};case"reply":return M(e,t.step,n=>({...n,reply:Ft(n.reply,t.text)}));case"reasoning":
return M(e,t.step,n=>({...n,reasoning:Ft(n.reasoning,t.text)}));case"output":return M(e,t.step,n=>Zl(n,t.text));default:return e}}function M(e,t,n,r=0){let i=e.
steps.findLastIndex(s=>s.n===t&&s.call===r),o=[...e.steps];return i<0?o.push(n(Nl(t,r))):o[i]=n(o[i]),{...e,steps:o}}function Nl(e,t){return{n:e,call:t,status:"\
thinking",kind:"code",reply:"",reasoning:"",thought:"",code:"",fingerprint:"",findings:[],edited:null,sha256:"",by:"",scope:"",comment:"",reason:"",output:"",observation:null,
usage:null,duration:0,runs:[],tools:[]}}function Hl(e,t){let{run:n,task:r,variables:i,model:o,sandbox:s,approve:l,session:u,resumes:a="",files:h=[],tools:f=[],lost:m=[],
agent:p=""}=t;return{...e,run:n,agent:p,task:r,variables:i,files:h,tools:f,lost:m,images:t.images.length,model:o,sandbox:s,approve:l,session:u,resumes:a,phase:"\
thinking"}}function jl(e,{step:t,note:n=""}){return n===""?e:{...e,notices:[...e.notices,{step:t,text:n}]}}function ql({text:e,reasoning:t,usage:n,duration:r}){
return i=>({...i,reply:e,reasoning:t,usage:n,duration:r})}function zl({reason:e}){return t=>({...t,status:"unparsed",reason:e})}function Ul(e,t){let{step:n,call:r=0,
thought:i}=t;if(r===0)return M(e,n,At(t));let o=e.steps.findLast(l=>l.n===n&&l.call===0);if(o!==void 0&&o.status!=="thinking")return M(e,n,At(t),r);let s=M(e,n,
l=>({...l,status:"done",kind:"call",reply:"",thought:i}));return M(s,n,At({...t,thought:""}),r)}var Vl={edited:null,sha256:"",by:"",scope:"",comment:"",reason:""};
function At({kind:e,thought:t,text:n,fingerprint:r,findings:i}){return o=>({...o,...Vl,status:"pending",reply:"",kind:e,thought:t,code:n,fingerprint:r,findings:i})}
function Wl({text:e,sha256:t,by:n,edited:r,scope:i,comment:o,kind:s}){let l=s==="plan"?"done":"allowed";return u=>({...u,status:l,edited:r?e:null,sha256:t,by:n,
scope:i,comment:o})}function Kl(e,{kind:t,step:n,call:r=0}){if(t==="plan")return{...e,phase:"thinking"};if(t!=="budget")return{...e,phase:"running"};let i=e.steps.
find(s=>s.n===n&&s.call===r),o={step:n,text:`${i?.code??""} It was allowed.`};return{...e,steps:e.steps.filter(s=>s!==i),notices:[...e.notices,o],phase:"thinkin\
g"}}function lr(e,t){let n=e.steps.findLast(r=>r.n===t&&r.call===0);return{...e,phase:n?.status==="allowed"||n?.status==="running"?"running":"thinking"}}function Gl({
reason:e,by:t}){return n=>({...n,status:"refused",reason:e,by:t})}function Zl(e,t){return{...e,status:e.status==="allowed"?"running":e.status,output:Ft(e.output,
t)}}var ur=25e4;function Ft(e,t){return e.length>=ur?e:(e+t).slice(0,ur)}function Yl({call:e,name:t,text:n,result:r,error:i,duration:o,times:s}){return l=>({...l,
tools:[...l.tools,{call:e,name:t,text:n,result:r,error:i,duration:o,times:s}]})}function Xl(e){let{stdout:t,result:n,outputs:r,error:i,changed:o,is_final_answer:s,
dropped:l,state_lost:u,duration:a,files:h=[]}=e,f={stdout:t,result:n,outputs:r,error:i,changed:o,is_final_answer:s,dropped:l,state_lost:u,duration:a,files:h};return m=>({
...m,status:"done",output:"",observation:f})}function Ql(e){return e.status==="thinking"?{...e,status:"done"}:e}function Jl(e,t){let{state:n,steps:r,usage:i,duration:o,
error:s,cut:l}=t,u=e.steps.map(a=>eu.has(a.status)?{...a,status:"cut"}:a);return{...e,steps:u,phase:"ended",ended:{state:n,steps:r,usage:i,duration:o,error:s,cut:l}}}
var eu=new Set(["thinking","pending","allowed","running"]);function tu(e){return`The output of ${e.length===1?`step ${e[0]}`:`steps ${e.join(", ")}`} is no long\
er shown to the model: the history outgrew its prompt.`}var Ue=class{constructor(t){this.sync=t}sync;state=St;pending=null;link="connecting";verdict=null;cells=null;saved=null;last=0;listeners=new Set;listen(t){return this.
listeners.add(t),()=>this.listeners.delete(t)}receive(t){if(t.type==="json")return this.receive(JSON.parse(t.text));if(t.type==="verdict")this.verdict={id:t.id,
ok:t.ok,why:t.why};else if(t.type==="cells")this.cells=t;else if(t.type==="record")this.saved=t;else if(t.type==="snapshot")this.takeSnapshot(t);else if(!this.takeNumbered(
t))return;t.type!=="snapshot"&&(this.link=this.state.ended===null?"live":"over"),this.changed()}restore(t){t===""||this.state.ended!==null||(this.state=je(JSON.
parse(t)),this.pending=null,this.link="over",this.changed())}die(){this.link!=="over"&&(this.link="dead",this.changed())}takeNumbered(t){return!Number.isInteger(
t.seq)||t.seq<=this.last?!1:t.seq>this.last+1?(this.sync(),!1):(this.last=t.seq,t.type==="event"&&(this.state=qe(this.state,t.event)),t.type==="delta"&&(this.state=
ze(this.state,t.delta)),t.type==="pending"&&(this.pending=t.pending),this.state.ended!==null&&(this.pending=null),!0)}takeSnapshot(t){t.seq<this.last||(this.last=
t.seq,this.state=nu(this.state,je(t.events,t.deltas)),this.pending=t.pending,this.link=t.live&&this.state.ended===null?"live":"over")}changed(){for(let t of[...this.
listeners])t()}};function nu(e,t){let n=t.steps.map((r,i)=>{let o=e.steps[i];return o!==void 0&&JSON.stringify(o)===JSON.stringify(r)?o:r});return{...t,steps:n}}var ru=500,iu=4e3,_t=class{constructor(t){this.model=t;t.on("msg:custom",n=>this.receive(n)),t.on("change:snapshot",()=>this.restore()),t.on("comm:close",()=>this.
feed.die()),t.on("comm_live_update",()=>this.doubt()),this.restore()}model;feed=new Ue(()=>this.sync());syncedAt=Number.NEGATIVE_INFINITY;answers=0;send(t){try{
return this.model.send(t),!0}catch{return this.feed.die(),!1}}ready(){this.send({type:"ready"}),setTimeout(()=>this.feed.link==="connecting"&&this.feed.die(),iu)}post={
answer:(t,n)=>{let r=this.newId();return this.send({type:"answer",id:r,...t,...n}),r},stop:t=>this.send({type:"stop",run:t}),export:t=>this.ask("export",t),record:t=>this.
ask("record",t)};ask(t,n){let r=this.newId();return this.send({type:t,id:r,run:n})?r:""}newId(){return`${Date.now().toString(36)}-${++this.answers}`}receive(t){
typeof t=="object"&&t!==null&&this.feed.receive(t)}restore(){let t=this.model.get("snapshot");typeof t=="string"&&this.feed.restore(t)}doubt(){this.feed.die(),this.
sync()}sync(){let t=performance.now();t-this.syncedAt<ru||(this.syncedAt=t,this.send({type:"sync"}))}};function ou(){let e=null,t=n=>e??=new _t(n);return{initialize({
model:n}){t(n).send({type:"init"})},render({model:n,el:r}){let{feed:i,post:o}=t(n),s=new AbortController,l=new He(i,o,s.signal),u=i.listen(()=>l.update());return r.
append(l.el),t(n).ready(),()=>{s.abort(),u(),l.el.remove()}}}}export{ou as default};
