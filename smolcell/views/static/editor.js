/*! @codemirror/view
MIT License

Copyright (C) 2018-2021 by Marijn Haverbeke <marijn@haverbeke.berlin> and others

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.
*/
/*! @lezer/common
MIT License

Copyright (C) 2018 by Marijn Haverbeke <marijn@haverbeke.berlin> and others

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.
*/
var Os=[],tl=[];(()=>{let n="lc,34,7n,7,7b,19,,,,2,,2,,,20,b,1c,l,g,,2t,7,2,6,2,2,,4,z,,u,r,2j,b,1m,9,9,,o,4,,9,,3,,5,17,3,1n,9,16,o,,x,1i,3,,i,,7,a,2,t,3,1k,,,\
7,2,2,2,3,9,,a,2,q,,2,3,1k,,,5,4,2,2,3,3,,u,2,3,,b,3,1k,,,8,,3,,3,k,2,m,6,,3,1k,,,7,2,2,2,3,7,3,a,2,u,,1n,5,3,3,,4,9,,14,5,1j,,,7,,3,,4,7,2,b,2,t,3,1k,,,7,,3,,4\
,7,2,b,2,f,,c,4,1j,2,,7,,3,,4,9,,a,2,t,3,1y,,4,6,,,,8,i,2,1p,,,8,c,8,2q,,,a,b,7,21,2,r,,,,,,4,2,1d,k,,2,5,b,,10,9,,2u,b,,6,n,4,4,3,g,4,d,,,3,6,,f,,jj,3,qa,4,s,3\
,t,2,u,2,1s,w,9,,19,3,,,39,2,y,,3a,c,4,c,63,5,1l,a,,,,,2,o,2,,1c,1a,2,c,k,5,1b,h,12,9,c,3,u,d,1k,e,1c,k,48,3,,l,4,,6,,2,3,5i,1s,ek,,5f,x,2da,3,3x,,2o,w,fe,6,2x,\
2,n9w,4,,a,w,2,28,2,7k,,3,,4,,n,5,4,,2b,2,1e,i,q,i,d,,12,8,p,d,18,4,1b,e,10,,1v,e,c,,8,2,1a,,1f,,,3,2,2,5,2,,,15,5,5,2,6k,8,,2,fn4,,kh,g,g,g,a6,2,gt,,6a,,45,5,1\
ae,3,,2,5,4,14,3,4,,4l,2,fx,4,1t,5,8t,2,25,6,1y,b,1d,4,3e,3,1h,f,15,,2,2,a,4,19,b,7,,1p,3,10,e,g,2,18,,c,3,1c,e,8,4,,2,2k,c,6,,2,,4d,c,l,4,1j,2,,7,2,2,2,3,9,,a,\
2,2,7,3,5,1v,9,,,2,,,4,,5,,,e,2,2a,i,n,,29,k,6j,7,2,9,r,2,2a,h,2y,d,2t,3,2,a,74,f,6t,6,,2,2,4,,,,2,3x,7,2,7,3,,s,a,14,7,,4,8,,9,b,1a,g,5i,8,5j,8,,8,2a,m,,e,3e,6\
,3,,,2,,7,,,1u,5,,2,,5,9n,4,9,2,,,1c,7,3,5,n,,44l,,6,f,8ug,i,1xc,5,1n,7,t4,,,1j,7,4,29,,b,2,f57,2,3mp,1a,2,n,f2,5,3,6,8,8,2,7,u,4,44,3,1iz,1j,4,1e,8,,e,,m,5,,f,\
11s,7,,h,2,7,,2,,5,2s,,4g,7,af,,1p,4,e4,4,72,2,6r,,2,,7,2,5,,d6,7,31,7,240,5".split(",").map(e=>e?parseInt(e,36):1);for(let e=0,t=0;e<n.length;e++)(e%2?tl:Os).push(
t=t+n[e])})();function Zf(n){if(n<768)return!1;for(let e=0,t=Os.length;;){let i=e+t>>1;if(n<Os[i])t=i;else if(n>=tl[i])e=i+1;else return!0;if(e==t)return!1}}function Ko(n){
return n>=127462&&n<=127487}var Jo=8205;function il(n,e,t=!0,i=!0){return(t?nl:Yf)(n,e,i)}function nl(n,e,t){if(e==n.length)return e;e&&sl(n.charCodeAt(e))&&rl(n.charCodeAt(e-1))&&e--;let i=gs(
n,e);for(e+=el(i);e<n.length;){let s=gs(n,e);if(i==Jo||s==Jo||t&&Zf(s))e+=el(s),i=s;else if(Ko(s)){let r=0,o=e-2;for(;o>=0&&Ko(gs(n,o));)r++,o-=2;if(r%2==0)break;
e+=2}else break}return e}function Yf(n,e,t){for(;e>1;){let i=nl(n,e-2,t);if(i<e)return i;e--}return 0}function gs(n,e){let t=n.charCodeAt(e);if(!rl(t)||e+1==n.length)
return t;let i=n.charCodeAt(e+1);return sl(i)?(t-55296<<10)+(i-56320)+65536:t}function sl(n){return n>=56320&&n<57344}function rl(n){return n>=55296&&n<56320}function el(n){
return n<65536?1:2}var D=class n{lineAt(e){if(e<0||e>this.length)throw new RangeError(`Invalid position ${e} in document of length ${this.length}`);return this.lineInner(e,!1,1,0)}line(e){
if(e<1||e>this.lines)throw new RangeError(`Invalid line number ${e} in ${this.lines}-line document`);return this.lineInner(e,!0,1,0)}replace(e,t,i){[e,t]=jt(this,
e,t);let s=[];return this.decompose(0,e,s,2),i.length&&i.decompose(0,i.length,s,3),this.decompose(t,this.length,s,1),_t.from(s,this.length-(t-e)+i.length)}append(e){
return this.replace(this.length,this.length,e)}slice(e,t=this.length){[e,t]=jt(this,e,t);let i=[];return this.decompose(e,t,i,0),_t.from(i,t-e)}eq(e){if(e==this)
return!0;if(e.length!=this.length||e.lines!=this.lines)return!1;let t=this.scanIdentical(e,1),i=this.length-this.scanIdentical(e,-1),s=new Ct(this),r=new Ct(e);
for(let o=t,l=t;;){if(s.next(o),r.next(o),o=0,s.lineBreak!=r.lineBreak||s.done!=r.done||s.value!=r.value)return!1;if(l+=s.value.length,s.done||l>=i)return!0}}iter(e=1){
return new Ct(this,e)}iterRange(e,t=this.length){return new on(this,e,t)}iterLines(e,t){let i;if(e==null)i=this.iter();else{t==null&&(t=this.lines+1);let s=this.
line(e).from;i=this.iterRange(s,Math.max(s,t==this.lines+1?this.length:t<=1?0:this.line(t-1).to))}return new ln(i)}toString(){return this.sliceString(0)}toJSON(){
let e=[];return this.flatten(e),e}constructor(){}static of(e){if(e.length==0)throw new RangeError("A document must have at least one line");return e.length==1&&
!e[0]?n.empty:e.length<=32?new me(e):_t.from(me.split(e,[]))}},me=class n extends D{constructor(e,t=Kf(e)){super(),this.text=e,this.length=t}get lines(){return this.
text.length}get children(){return null}lineInner(e,t,i,s){for(let r=0;;r++){let o=this.text[r],l=s+o.length;if((t?i:l)>=e)return new bs(s,l,i,o);s=l+1,i++}}decompose(e,t,i,s){
let r=e<=0&&t>=this.length?this:new n(ol(this.text,e,t),Math.min(t,this.length)-Math.max(0,e));if(s&1){let o=i.pop(),l=rn(r.text,o.text.slice(),0,r.length);if(l.
length<=32)i.push(new n(l,o.length+r.length));else{let a=l.length>>1;i.push(new n(l.slice(0,a)),new n(l.slice(a)))}}else i.push(r)}replace(e,t,i){if(!(i instanceof
n))return super.replace(e,t,i);[e,t]=jt(this,e,t);let s=rn(this.text,rn(i.text,ol(this.text,0,e)),t),r=this.length+i.length-(t-e);return s.length<=32?new n(s,r):
_t.from(n.split(s,[]),r)}sliceString(e,t=this.length,i=`
`){[e,t]=jt(this,e,t);let s="";for(let r=0,o=0;r<=t&&o<this.text.length;o++){let l=this.text[o],a=r+l.length;r>e&&o&&(s+=i),e<a&&t>r&&(s+=l.slice(Math.max(0,e-r),
t-r)),r=a+1}return s}flatten(e){for(let t of this.text)e.push(t)}scanIdentical(){return 0}static split(e,t){let i=[],s=-1;for(let r of e)i.push(r),s+=r.length+1,
i.length==32&&(t.push(new n(i,s)),i=[],s=-1);return s>-1&&t.push(new n(i,s)),t}},_t=class n extends D{constructor(e,t){super(),this.children=e,this.length=t,this.
lines=0;for(let i of e)this.lines+=i.lines}lineInner(e,t,i,s){for(let r=0;;r++){let o=this.children[r],l=s+o.length,a=i+o.lines-1;if((t?a:l)>=e)return o.lineInner(
e,t,i,s);s=l+1,i=a+1}}decompose(e,t,i,s){for(let r=0,o=0;o<=t&&r<this.children.length;r++){let l=this.children[r],a=o+l.length;if(e<=a&&t>=o){let h=s&((o<=e?1:0)|
(a>=t?2:0));o>=e&&a<=t&&!h?i.push(l):l.decompose(e-o,t-o,i,h)}o=a+1}}replace(e,t,i){if([e,t]=jt(this,e,t),i.lines<this.lines)for(let s=0,r=0;s<this.children.length;s++){
let o=this.children[s],l=r+o.length;if(e>=r&&t<=l){let a=o.replace(e-r,t-r,i),h=this.lines-o.lines+a.lines;if(a.lines<h>>4&&a.lines>h>>6){let f=this.children.slice();
return f[s]=a,new n(f,this.length-(t-e)+i.length)}return super.replace(r,l,a)}r=l+1}return super.replace(e,t,i)}sliceString(e,t=this.length,i=`
`){[e,t]=jt(this,e,t);let s="";for(let r=0,o=0;r<this.children.length&&o<=t;r++){let l=this.children[r],a=o+l.length;o>e&&r&&(s+=i),e<a&&t>o&&(s+=l.sliceString(
e-o,t-o,i)),o=a+1}return s}flatten(e){for(let t of this.children)t.flatten(e)}scanIdentical(e,t){if(!(e instanceof n))return 0;let i=0,[s,r,o,l]=t>0?[0,0,this.children.
length,e.children.length]:[this.children.length-1,e.children.length-1,-1,-1];for(;;s+=t,r+=t){if(s==o||r==l)return i;let a=this.children[s],h=e.children[r];if(a!=
h)return i+a.scanIdentical(h,t);i+=a.length+1}}static from(e,t=e.reduce((i,s)=>i+s.length+1,-1)){let i=0;for(let d of e)i+=d.lines;if(i<32){let d=[];for(let p of e)
p.flatten(d);return new me(d,t)}let s=Math.max(32,i>>5),r=s<<1,o=s>>1,l=[],a=0,h=-1,f=[];function c(d){let p;if(d.lines>r&&d instanceof n)for(let m of d.children)
c(m);else d.lines>o&&(a>o||!a)?(u(),l.push(d)):d instanceof me&&a&&(p=f[f.length-1])instanceof me&&d.lines+p.lines<=32?(a+=d.lines,h+=d.length+1,f[f.length-1]=new me(
p.text.concat(d.text),p.length+1+d.length)):(a+d.lines>s&&u(),a+=d.lines,h+=d.length+1,f.push(d))}function u(){a!=0&&(l.push(f.length==1?f[0]:n.from(f,h)),h=-1,
a=f.length=0)}for(let d of e)c(d);return u(),l.length==1?l[0]:new n(l,t)}};D.empty=new me([""],0);function Kf(n){let e=-1;for(let t of n)e+=t.length+1;return e}
function rn(n,e,t=0,i=1e9){for(let s=0,r=0,o=!0;r<n.length&&s<=i;r++){let l=n[r],a=s+l.length;a>=t&&(a>i&&(l=l.slice(0,i-s)),s<t&&(l=l.slice(t-s)),o?(e[e.length-
1]+=l,o=!1):e.push(l)),s=a+1}return e}function ol(n,e,t){return rn(n,[""],e,t)}var Ct=class{constructor(e,t=1){this.dir=t,this.done=!1,this.lineBreak=!1,this.value=
"",this.nodes=[e],this.offsets=[t>0?1:(e instanceof me?e.text.length:e.children.length)<<1]}nextInner(e,t){for(this.done=this.lineBreak=!1;;){let i=this.nodes.length-
1,s=this.nodes[i],r=this.offsets[i],o=r>>1,l=s instanceof me?s.text.length:s.children.length;if(o==(t>0?l:0)){if(i==0)return this.done=!0,this.value="",this;t>0&&
this.offsets[i-1]++,this.nodes.pop(),this.offsets.pop()}else if((r&1)==(t>0?0:1)){if(this.offsets[i]+=t,e==0)return this.lineBreak=!0,this.value=`
`,this;e--}else if(s instanceof me){let a=s.text[o+(t<0?-1:0)];if(this.offsets[i]+=t,a.length>Math.max(0,e))return this.value=e==0?a:t>0?a.slice(e):a.slice(0,a.
length-e),this;e-=a.length}else{let a=s.children[o+(t<0?-1:0)];e>a.length?(e-=a.length,this.offsets[i]+=t):(t<0&&this.offsets[i]--,this.nodes.push(a),this.offsets.
push(t>0?1:(a instanceof me?a.text.length:a.children.length)<<1))}}}next(e=0){return e<0&&(this.nextInner(-e,-this.dir),e=this.value.length),this.nextInner(e,this.
dir)}},on=class{constructor(e,t,i){this.value="",this.done=!1,this.cursor=new Ct(e,t>i?-1:1),this.pos=t>i?e.length:0,this.from=Math.min(t,i),this.to=Math.max(t,
i)}nextInner(e,t){if(t<0?this.pos<=this.from:this.pos>=this.to)return this.value="",this.done=!0,this;e+=Math.max(0,t<0?this.pos-this.to:this.from-this.pos);let i=t<
0?this.pos-this.from:this.to-this.pos;e>i&&(e=i),i-=e;let{value:s}=this.cursor.next(e);return this.pos+=(s.length+e)*t,this.value=s.length<=i?s:t<0?s.slice(s.length-
i):s.slice(0,i),this.done=!this.value,this}next(e=0){return e<0?e=Math.max(e,this.from-this.pos):e>0&&(e=Math.min(e,this.to-this.pos)),this.nextInner(e,this.cursor.
dir)}get lineBreak(){return this.cursor.lineBreak&&this.value!=""}},ln=class{constructor(e){this.inner=e,this.afterBreak=!0,this.value="",this.done=!1}next(e=0){
let{done:t,lineBreak:i,value:s}=this.inner.next(e);return t&&this.afterBreak?(this.value="",this.afterBreak=!1):t?(this.done=!0,this.value=""):i?this.afterBreak?
this.value="":(this.afterBreak=!0,this.next()):(this.value=s,this.afterBreak=!1),this}get lineBreak(){return!1}};typeof Symbol<"u"&&(D.prototype[Symbol.iterator]=
function(){return this.iter()},Ct.prototype[Symbol.iterator]=on.prototype[Symbol.iterator]=ln.prototype[Symbol.iterator]=function(){return this});var bs=class{constructor(e,t,i,s){
this.from=e,this.to=t,this.number=i,this.text=s}get length(){return this.to-this.from}};function jt(n,e,t){return e=Math.max(0,Math.min(n.length,e)),[e,Math.max(
e,Math.min(n.length,t))]}function K(n,e,t=!0,i=!0){return il(n,e,t,i)}function Jf(n){return n>=56320&&n<57344}function ec(n){return n>=55296&&n<56320}function un(n,e){
let t=n.charCodeAt(e);if(!ec(t)||e+1==n.length)return t;let i=n.charCodeAt(e+1);return Jf(i)?(t-55296<<10)+(i-56320)+65536:t}function Es(n){return n<65536?1:2}var xs=/\r\n?|\n/,te=(function(n){return n[n.Simple=0]="Simple",n[n.TrackDel=1]="TrackDel",n[n.TrackBefore=2]="TrackBefore",n[n.
TrackAfter=3]="TrackAfter",n})(te||(te={})),Ke=class n{constructor(e){this.sections=e}get length(){let e=0;for(let t=0;t<this.sections.length;t+=2)e+=this.sections[t];
return e}get newLength(){let e=0;for(let t=0;t<this.sections.length;t+=2){let i=this.sections[t+1];e+=i<0?this.sections[t]:i}return e}get empty(){return this.sections.
length==0||this.sections.length==2&&this.sections[1]<0}iterGaps(e){for(let t=0,i=0,s=0;t<this.sections.length;){let r=this.sections[t++],o=this.sections[t++];o<
0?(e(i,s,r),s+=r):s+=o,i+=r}}iterChangedRanges(e,t=!1){Ss(this,e,t)}get invertedDesc(){let e=[];for(let t=0;t<this.sections.length;){let i=this.sections[t++],s=this.
sections[t++];s<0?e.push(i,s):e.push(s,i)}return new n(e)}composeDesc(e){return this.empty?e:e.empty?this:cl(this,e)}mapDesc(e,t=!1){return e.empty?this:ks(this,
e,t)}mapPos(e,t=-1,i=te.Simple){let s=0,r=0;for(let o=0;o<this.sections.length;){let l=this.sections[o++],a=this.sections[o++],h=s+l;if(a<0){if(h>e)return r+(e-
s);r+=l}else{if(i!=te.Simple&&h>=e&&(i==te.TrackDel&&s<e&&h>e||i==te.TrackBefore&&s<e||i==te.TrackAfter&&h>e))return null;if(h>e||h==e&&t<0&&!l)return e==s||t<0?
r:r+a;r+=a}s=h}if(e>s)throw new RangeError(`Position ${e} is out of range for changeset of length ${s}`);return r}touchesRange(e,t=e){for(let i=0,s=0;i<this.sections.
length&&s<=t;){let r=this.sections[i++],o=this.sections[i++],l=s+r;if(o>=0&&s<=t&&l>=e)return s<e&&l>t?"cover":!0;s=l}return!1}toString(){let e="";for(let t=0;t<
this.sections.length;){let i=this.sections[t++],s=this.sections[t++];e+=(e?" ":"")+i+(s>=0?":"+s:"")}return e}toJSON(){return this.sections}static fromJSON(e){if(!Array.
isArray(e)||e.length%2||e.some(t=>typeof t!="number"))throw new RangeError("Invalid JSON representation of ChangeDesc");return new n(e)}static create(e){return new n(
e)}},ae=class n extends Ke{constructor(e,t){super(e),this.inserted=t}apply(e){if(this.length!=e.length)throw new RangeError("Applying change set to a document w\
ith the wrong length");return Ss(this,(t,i,s,r,o)=>e=e.replace(s,s+(i-t),o),!1),e}mapDesc(e,t=!1){return ks(this,e,t,!0)}invert(e){let t=this.sections.slice(),i=[];
for(let s=0,r=0;s<t.length;s+=2){let o=t[s],l=t[s+1];if(l>=0){t[s]=l,t[s+1]=o;let a=s>>1;for(;i.length<a;)i.push(D.empty);i.push(o?e.slice(r,r+o):D.empty)}r+=o}
return new n(t,i)}compose(e){return this.empty?e:e.empty?this:cl(this,e,!0)}map(e,t=!1){return e.empty?this:ks(this,e,t,!0)}iterChanges(e,t=!1){Ss(this,e,t)}get desc(){
return Ke.create(this.sections)}filter(e){let t=[],i=[],s=[],r=new Qt(this);e:for(let o=0,l=0;;){let a=o==e.length?1e9:e[o++];for(;l<a||l==a&&r.len==0;){if(r.done)
break e;let f=Math.min(r.len,a-l);se(s,f,-1);let c=r.ins==-1?-1:r.off==0?r.ins:0;se(t,f,c),c>0&&ht(i,t,r.text),r.forward(f),l+=f}let h=e[o++];for(;l<h;){if(r.done)
break e;let f=Math.min(r.len,h-l);se(t,f,-1),se(s,f,r.ins==-1?-1:r.off==0?r.ins:0),r.forward(f),l+=f}}return{changes:new n(t,i),filtered:Ke.create(s)}}toJSON(){
let e=[];for(let t=0;t<this.sections.length;t+=2){let i=this.sections[t],s=this.sections[t+1];s<0?e.push(i):s==0?e.push([i]):e.push([i].concat(this.inserted[t>>
1].toJSON()))}return e}static of(e,t,i){let s=[],r=[],o=0,l=null;function a(f=!1){if(!f&&!s.length)return;o<t&&se(s,t-o,-1);let c=new n(s,r);l=l?l.compose(c.map(
l)):c,s=[],r=[],o=0}function h(f){if(Array.isArray(f))for(let c of f)h(c);else if(f instanceof n){if(f.length!=t)throw new RangeError(`Mismatched change set len\
gth (got ${f.length}, expected ${t})`);a(),l=l?l.compose(f.map(l)):f}else{let{from:c,to:u=c,insert:d}=f;if(c>u||c<0||u>t)throw new RangeError(`Invalid change ra\
nge ${c} to ${u} (in doc of length ${t})`);let p=d?typeof d=="string"?D.of(d.split(i||xs)):d:D.empty,m=p.length;if(c==u&&m==0)return;c<o&&a(),c>o&&se(s,c-o,-1),
se(s,u-c,m),ht(r,s,p),o=u}}return h(e),a(!l),l}static empty(e){return new n(e?[e,-1]:[],[])}static fromJSON(e){if(!Array.isArray(e))throw new RangeError("Invali\
d JSON representation of ChangeSet");let t=[],i=[];for(let s=0;s<e.length;s++){let r=e[s];if(typeof r=="number")t.push(r,-1);else{if(!Array.isArray(r)||typeof r[0]!=
"number"||r.some((o,l)=>l&&typeof o!="string"))throw new RangeError("Invalid JSON representation of ChangeSet");if(r.length==1)t.push(r[0],0);else{for(;i.length<
s;)i.push(D.empty);i[s]=D.of(r.slice(1)),t.push(r[0],i[s].length)}}}return new n(t,i)}static createSet(e,t){return new n(e,t)}};function se(n,e,t,i=!1){if(e==0&&
t<=0)return;let s=n.length-2;s>=0&&t<=0&&t==n[s+1]?n[s]+=e:s>=0&&e==0&&n[s]==0?n[s+1]+=t:i?(n[s]+=e,n[s+1]+=t):n.push(e,t)}function ht(n,e,t){if(t.length==0)return;
let i=e.length-2>>1;if(i<n.length)n[n.length-1]=n[n.length-1].append(t);else{for(;n.length<i;)n.push(D.empty);n.push(t)}}function Ss(n,e,t){let i=n.inserted;for(let s=0,
r=0,o=0;o<n.sections.length;){let l=n.sections[o++],a=n.sections[o++];if(a<0)s+=l,r+=l;else{let h=s,f=r,c=D.empty;for(;h+=l,f+=a,a&&i&&(c=c.append(i[o-2>>1])),!(t||
o==n.sections.length||n.sections[o+1]<0);)l=n.sections[o++],a=n.sections[o++];e(s,h,r,f,c),s=h,r=f}}}function ks(n,e,t,i=!1){let s=[],r=i?[]:null,o=new Qt(n),l=new Qt(
e);for(let a=-1;;){if(o.done&&l.len||l.done&&o.len)throw new Error("Mismatched change set lengths");if(o.ins==-1&&l.ins==-1){let h=Math.min(o.len,l.len);se(s,h,
-1),o.forward(h),l.forward(h)}else if(l.ins>=0&&(o.ins<0||a==o.i||o.off==0&&(l.len<o.len||l.len==o.len&&!t))){let h=l.len;for(se(s,l.ins,-1);h;){let f=Math.min(
o.len,h);o.ins>=0&&a<o.i&&o.len<=f&&(se(s,0,o.ins),r&&ht(r,s,o.text),a=o.i),o.forward(f),h-=f}l.next()}else if(o.ins>=0){let h=0,f=o.len;for(;f;)if(l.ins==-1){let c=Math.
min(f,l.len);h+=c,f-=c,l.forward(c)}else if(l.ins==0&&l.len<f)f-=l.len,l.next();else break;se(s,h,a<o.i?o.ins:0),r&&a<o.i&&ht(r,s,o.text),a=o.i,o.forward(o.len-
f)}else{if(o.done&&l.done)return r?ae.createSet(s,r):Ke.create(s);throw new Error("Mismatched change set lengths")}}}function cl(n,e,t=!1){let i=[],s=t?[]:null,
r=new Qt(n),o=new Qt(e);for(let l=!1;;){if(r.done&&o.done)return s?ae.createSet(i,s):Ke.create(i);if(r.ins==0)se(i,r.len,0,l),r.next();else if(o.len==0&&!o.done)
se(i,0,o.ins,l),s&&ht(s,i,o.text),o.next();else{if(r.done||o.done)throw new Error("Mismatched change set lengths");{let a=Math.min(r.len2,o.len),h=i.length;if(r.
ins==-1){let f=o.ins==-1?-1:o.off?0:o.ins;se(i,a,f,l),s&&f&&ht(s,i,o.text)}else o.ins==-1?(se(i,r.off?0:r.len,a,l),s&&ht(s,i,r.textBit(a))):(se(i,r.off?0:r.len,
o.off?0:o.ins,l),s&&!o.off&&ht(s,i,o.text));l=(r.ins>a||o.ins>=0&&o.len>a)&&(l||i.length>h),r.forward2(a),o.forward(a)}}}}var Qt=class{constructor(e){this.set=e,
this.i=0,this.next()}next(){let{sections:e}=this.set;this.i<e.length?(this.len=e[this.i++],this.ins=e[this.i++]):(this.len=0,this.ins=-2),this.off=0}get done(){
return this.ins==-2}get len2(){return this.ins<0?this.len:this.ins}get text(){let{inserted:e}=this.set,t=this.i-2>>1;return t>=e.length?D.empty:e[t]}textBit(e){
let{inserted:t}=this.set,i=this.i-2>>1;return i>=t.length&&!e?D.empty:t[i].slice(this.off,e==null?void 0:this.off+e)}forward(e){e==this.len?this.next():(this.len-=
e,this.off+=e)}forward2(e){this.ins==-1?this.forward(e):e==this.ins?this.next():(this.ins-=e,this.off+=e)}},wt=class n{constructor(e,t,i,s){this.from=e,this.to=
t,this.flags=i,this.goalColumn=s}get anchor(){return this.flags&32?this.to:this.from}get head(){return this.flags&32?this.from:this.to}get empty(){return this.from==
this.to}get assoc(){return this.flags&8?-1:this.flags&16?1:0}get undirectional(){return(this.flags&64)>0}get bidiLevel(){let e=this.flags&7;return e==7?null:e}map(e,t=-1){
let i,s;return this.empty?i=s=e.mapPos(this.from,t):(i=e.mapPos(this.from,1),s=e.mapPos(this.to,-1)),i==this.from&&s==this.to?this:new n(i,s,this.flags,this.goalColumn)}extend(e,t=e,i=0){
if(e<=this.anchor&&t>=this.anchor)return b.range(e,t,void 0,void 0,i);let s=Math.abs(e-this.anchor)>Math.abs(t-this.anchor)?e:t;return b.range(this.anchor,s,void 0,
void 0,i)}eq(e,t=!1){return this.anchor==e.anchor&&this.head==e.head&&this.goalColumn==e.goalColumn&&(!t||!this.empty||this.assoc==e.assoc)}toJSON(){return{anchor:this.
anchor,head:this.head}}static fromJSON(e){if(!e||typeof e.anchor!="number"||typeof e.head!="number")throw new RangeError("Invalid JSON representation for Select\
ionRange");return b.range(e.anchor,e.head)}static create(e,t,i,s){return new n(e,t,i,s)}},b=class n{constructor(e,t){this.ranges=e,this.mainIndex=t}map(e,t=-1){
return e.empty?this:n.create(this.ranges.map(i=>i.map(e,t)),this.mainIndex)}eq(e,t=!1){if(this.ranges.length!=e.ranges.length||this.mainIndex!=e.mainIndex)return!1;
for(let i=0;i<this.ranges.length;i++)if(!this.ranges[i].eq(e.ranges[i],t))return!1;return!0}get main(){return this.ranges[this.mainIndex]}asSingle(){return this.
ranges.length==1?this:new n([this.main],0)}addRange(e,t=!0){return n.create([e].concat(this.ranges),t?0:this.mainIndex+1)}replaceRange(e,t=this.mainIndex){let i=this.
ranges.slice();return i[t]=e,n.create(i,this.mainIndex)}toJSON(){return{ranges:this.ranges.map(e=>e.toJSON()),main:this.mainIndex}}static fromJSON(e){if(!e||!Array.
isArray(e.ranges)||typeof e.main!="number"||e.main>=e.ranges.length)throw new RangeError("Invalid JSON representation for EditorSelection");return new n(e.ranges.
map(t=>wt.fromJSON(t)),e.main)}static single(e,t=e){return new n([n.range(e,t)],0)}static create(e,t=0){if(e.length==0)throw new RangeError("A selection needs a\
t least one range");for(let i=0,s=0;s<e.length;s++){let r=e[s];if(r.empty?r.from<=i:r.from<i)return n.normalized(e.slice(),t);i=r.to}return new n(e,t)}static cursor(e,t=0,i,s){
return wt.create(e,e,(t==0?0:t<0?8:16)|(i==null?7:Math.min(6,i)),s)}static range(e,t,i,s,r){let o=s==null?7:Math.min(6,s);return!r&&e!=t&&(r=t<e?1:-1),r&&(o|=r<
0?8:16),t<e?wt.create(t,e,o|32,i):wt.create(e,t,o,i)}static undirectionalRange(e,t){return wt.create(e,t,64,void 0)}static normalized(e,t=0){let i=e[t];e.sort((s,r)=>s.
from-r.from),t=e.indexOf(i);for(let s=1;s<e.length;s++){let r=e[s],o=e[s-1];if(r.empty?r.from<=o.to:r.from<o.to){let l=o.from,a=Math.max(r.to,o.to);s<=t&&t--,e.
splice(--s,2,r.anchor>r.head?n.range(a,l):n.range(l,a))}}return new n(e,t)}};function ul(n,e){for(let t of n.ranges)if(t.to>e)throw new RangeError("Selection po\
ints outside of document")}var Ds=0,Q=class n{constructor(e,t,i,s,r){this.combine=e,this.compareInput=t,this.compare=i,this.isStatic=s,this.id=Ds++,this.default=
e([]),this.extensions=typeof r=="function"?r(this):r}get reader(){return this}static define(e={}){return new n(e.combine||(t=>t),e.compareInput||((t,i)=>t===i),
e.compare||(e.combine?(t,i)=>t===i:Bs),!!e.static,e.enables)}of(e){return new Ht([],this,0,e)}compute(e,t){if(this.isStatic)throw new Error("Can't compute a sta\
tic facet");return new Ht(e,this,1,t)}computeN(e,t){if(this.isStatic)throw new Error("Can't compute a static facet");return new Ht(e,this,2,t)}from(e,t){return t||
(t=i=>i),this.compute([e],i=>t(i.field(e)))}};function Bs(n,e){return n==e||n.length==e.length&&n.every((t,i)=>t===e[i])}var Ht=class{constructor(e,t,i,s){this.
dependencies=e,this.facet=t,this.type=i,this.value=s,this.id=Ds++}dynamicSlot(e){var t;let i=this.value,s=this.facet.compareInput,r=this.id,o=e[r]>>1,l=this.type==
2,a=!1,h=!1,f=[];for(let c of this.dependencies)c=="doc"?a=!0:c=="selection"?h=!0:(((t=e[c.id])!==null&&t!==void 0?t:1)&1)==0&&f.push(e[c.id]);return{create(c){
return c.values[o]=i(c),1},update(c,u){if(a&&u.docChanged||h&&(u.docChanged||u.selection)||ws(c,f)){let d=i(c);if(l?!ll(d,c.values[o],s):!s(d,c.values[o]))return c.
values[o]=d,1}return 0},reconfigure:(c,u)=>{let d,p=u.config.address[r];if(p!=null){let m=fn(u,p);if(this.dependencies.every(g=>g instanceof Q?u.facet(g)===c.facet(
g):g instanceof ge?u.field(g,!1)==c.field(g,!1):!0)||(l?ll(d=i(c),m,s):s(d=i(c),m)))return c.values[o]=m,0}else d=i(c);return c.values[o]=d,1}}}get extension(){
return this}};function ll(n,e,t){if(n.length!=e.length)return!1;for(let i=0;i<n.length;i++)if(!t(n[i],e[i]))return!1;return!0}function ws(n,e){let t=!1;for(let i of e)
xi(n,i)&1&&(t=!0);return t}function tc(n,e,t){let i=t.map(a=>n[a.id]),s=t.map(a=>a.type),r=i.filter(a=>!(a&1)),o=n[e.id]>>1;function l(a){let h=[];for(let f=0;f<
i.length;f++){let c=fn(a,i[f]);if(s[f]==2)for(let u of c)h.push(u);else h.push(c)}return e.combine(h)}return{create(a){for(let h of i)xi(a,h);return a.values[o]=
l(a),1},update(a,h){if(!ws(a,r))return 0;let f=l(a);return e.compare(f,a.values[o])?0:(a.values[o]=f,1)},reconfigure(a,h){let f=ws(a,i),c=h.config.facets[e.id],
u=h.facet(e);if(c&&!f&&Bs(t,c))return a.values[o]=u,0;let d=l(a);return e.compare(d,u)?(a.values[o]=u,0):(a.values[o]=d,1)}}}var tn=Q.define({static:!0}),ge=class n{constructor(e,t,i,s,r){
this.id=e,this.createF=t,this.updateF=i,this.compareF=s,this.spec=r,this.provides=void 0}static define(e){let t=new n(Ds++,e.create,e.update,e.compare||((i,s)=>i===
s),e);return e.provide&&(t.provides=e.provide(t)),t}create(e){let t=e.facet(tn).find(i=>i.field==this);return(t?.create||this.createF)(e)}slot(e){let t=e[this.id]>>
1;return{create:i=>(i.values[t]=this.create(i),1),update:(i,s)=>{let r=i.values[t],o=this.updateF(r,s);return this.compareF(r,o)?0:(i.values[t]=o,1)},reconfigure:(i,s)=>{
let r=i.facet(tn),o=s.facet(tn),l;return(l=r.find(a=>a.field==this))&&l!=o.find(a=>a.field==this)?(i.values[t]=l.create(i),1):s.config.address[this.id]!=null?(i.
values[t]=s.field(this),0):(i.values[t]=this.create(i),1)}}}init(e){return[this,tn.of({field:this,create:e})]}get extension(){return this}},vt={lowest:4,low:3,default:2,
high:1,highest:0};function bi(n){return e=>new an(e,n)}var ft={highest:bi(vt.highest),high:bi(vt.high),default:bi(vt.default),low:bi(vt.low),lowest:bi(vt.lowest)},
an=class{constructor(e,t){this.inner=e,this.prec=t}get extension(){return this}},Gt=class n{of(e){return new Si(this,e)}reconfigure(e){return n.reconfigure.of({
compartment:this,extension:e})}get(e){return e.config.compartments.get(this)}},Si=class{constructor(e,t){this.compartment=e,this.inner=t}get extension(){return this}},
hn=class n{constructor(e,t,i,s,r,o){for(this.base=e,this.compartments=t,this.dynamicSlots=i,this.address=s,this.staticValues=r,this.facets=o,this.statusTemplate=
[];this.statusTemplate.length<i.length;)this.statusTemplate.push(0)}staticFacet(e){let t=this.address[e.id];return t==null?e.default:this.staticValues[t>>1]}static resolve(e,t,i){
let s=[],r=Object.create(null),o=new Map;for(let u of ic(e,t,o))u instanceof ge?s.push(u):(r[u.facet.id]||(r[u.facet.id]=[])).push(u);let l=Object.create(null),
a=[],h=[];for(let u of s)l[u.id]=h.length<<1,h.push(d=>u.slot(d));let f=i?.config.facets;for(let u in r){let d=r[u],p=d[0].facet,m=f&&f[u]||[];if(d.every(g=>g.type==
0))if(l[p.id]=a.length<<1|1,Bs(m,d))a.push(i.facet(p));else{let g=p.combine(d.map(y=>y.value));a.push(i&&p.compare(g,i.facet(p))?i.facet(p):g)}else{for(let g of d)
g.type==0?(l[g.id]=a.length<<1|1,a.push(g.value)):(l[g.id]=h.length<<1,h.push(y=>g.dynamicSlot(y)));l[p.id]=h.length<<1,h.push(g=>tc(g,p,d))}}let c=h.map(u=>u(l));
return new n(e,o,c,l,a,r)}};function ic(n,e,t){let i=[[],[],[],[],[]],s=new Map;function r(o,l){let a=s.get(o);if(a!=null){if(a<=l)return;let h=i[a].indexOf(o);
h>-1&&i[a].splice(h,1),o instanceof Si&&t.delete(o.compartment)}if(s.set(o,l),Array.isArray(o))for(let h of o)r(h,l);else if(o instanceof Si){if(t.has(o.compartment))
throw new RangeError("Duplicate use of compartment in extensions");let h=e.get(o.compartment)||o.inner;t.set(o.compartment,h),r(h,l)}else if(o instanceof an)r(o.
inner,o.prec);else if(o instanceof ge)i[l].push(o),o.provides&&r(o.provides,l);else if(o instanceof Ht)i[l].push(o),o.facet.extensions&&r(o.facet.extensions,vt.
default);else{let h=o.extension;if(!h)throw new Error(`Unrecognized extension value in extension set (${o}).`);if(h==o)throw new Error(`Unrecognized extension v\
alue in extension set (${o}). This sometimes happens because multiple instances of @codemirror/state are loaded, breaking instanceof checks.`);r(h,l)}}return r(
n,vt.default),i.reduce((o,l)=>o.concat(l))}function xi(n,e){if(e&1)return 2;let t=e>>1,i=n.status[t];if(i==4)throw new Error("Cyclic dependency between fields a\
nd/or facets");if(i&2)return i;n.status[t]=4;let s=n.computeSlot(n,n.config.dynamicSlots[t]);return n.status[t]=2|s}function fn(n,e){return e&1?n.config.staticValues[e>>
1]:n.values[e>>1]}var dl=Q.define(),vs=Q.define({combine:n=>n.some(e=>e),static:!0}),pl=Q.define({combine:n=>n.length?n[0]:void 0,static:!0}),ml=Q.define(),gl=Q.
define(),Ol=Q.define(),yl=Q.define({combine:n=>n.length?n[0]:!1}),ue=class{constructor(e,t){this.type=e,this.value=t}static define(){return new Ts}},Ts=class{of(e){
return new ue(this,e)}},Cs=class{constructor(e){this.map=e}of(e){return new I(this,e)}},I=class n{constructor(e,t){this.type=e,this.value=t}map(e){let t=this.type.
map(this.value,e);return t===void 0?void 0:t==this.value?this:new n(this.type,t)}is(e){return this.type==e}static define(e={}){return new Cs(e.map||(t=>t))}static mapEffects(e,t){
if(!e.length)return e;let i=[];for(let s of e){let r=s.map(t);r&&i.push(r)}return i}};I.reconfigure=I.define();I.appendConfig=I.define();var Z=class n{constructor(e,t,i,s,r,o){
this.startState=e,this.changes=t,this.selection=i,this.effects=s,this.annotations=r,this.scrollIntoView=o,this._doc=null,this._state=null,i&&ul(i,t.newLength),r.
some(l=>l.type==n.time)||(this.annotations=r.concat(n.time.of(Date.now())))}static create(e,t,i,s,r,o){return new n(e,t,i,s,r,o)}get newDoc(){return this._doc||
(this._doc=this.changes.apply(this.startState.doc))}get newSelection(){return this.selection||this.startState.selection.map(this.changes)}get state(){return this.
_state||this.startState.applyTransaction(this),this._state}annotation(e){for(let t of this.annotations)if(t.type==e)return t.value}get docChanged(){return!this.
changes.empty}get reconfigured(){return this.startState.config!=this.state.config}isUserEvent(e){let t=this.annotation(n.userEvent);return!!(t&&(t==e||t.length>
e.length&&t.slice(0,e.length)==e&&t[e.length]=="."))}};Z.time=ue.define();Z.userEvent=ue.define();Z.addToHistory=ue.define();Z.remote=ue.define();function nc(n,e){
let t=[];for(let i=0,s=0;;){let r,o;if(i<n.length&&(s==e.length||e[s]>=n[i]))r=n[i++],o=n[i++];else if(s<e.length)r=e[s++],o=e[s++];else return t;!t.length||t[t.
length-1]<r?t.push(r,o):t[t.length-1]<o&&(t[t.length-1]=o)}}function bl(n,e,t){var i;let s,r,o;return t?(s=e.changes,r=ae.empty(e.changes.length),o=n.changes.compose(
e.changes)):(s=e.changes.map(n.changes),r=n.changes.mapDesc(e.changes,!0),o=n.changes.compose(s)),{changes:o,selection:e.selection?e.selection.map(r):(i=n.selection)===
null||i===void 0?void 0:i.map(s),effects:I.mapEffects(n.effects,s).concat(I.mapEffects(e.effects,r)),annotations:n.annotations.length?n.annotations.concat(e.annotations):
e.annotations,scrollIntoView:n.scrollIntoView||e.scrollIntoView}}function Qs(n,e,t){let i=e.selection,s=Ut(e.annotations);return e.userEvent&&(s=s.concat(Z.userEvent.
of(e.userEvent))),{changes:e.changes instanceof ae?e.changes:ae.of(e.changes||[],t,n.facet(pl)),selection:i&&(i instanceof b?i:b.single(i.anchor,i.head)),effects:Ut(
e.effects),annotations:s,scrollIntoView:!!e.scrollIntoView}}function xl(n,e,t){let i=Qs(n,e.length?e[0]:{},n.doc.length);e.length&&e[0].filter===!1&&(t=!1);for(let r=1;r<
e.length;r++){e[r].filter===!1&&(t=!1);let o=!!e[r].sequential;i=bl(i,Qs(n,e[r],o?i.changes.newLength:n.doc.length),o)}let s=Z.create(n,i.changes,i.selection,i.
effects,i.annotations,i.scrollIntoView);return rc(t?sc(s):s)}function sc(n){let e=n.startState,t=!0;for(let s of e.facet(ml)){let r=s(n);if(r===!1){t=!1;break}Array.
isArray(r)&&(t=t===!0?r:nc(t,r))}if(t!==!0){let s,r;if(t===!1)r=n.changes.invertedDesc,s=ae.empty(e.doc.length);else{let o=n.changes.filter(t);s=o.changes,r=o.filtered.
mapDesc(o.changes).invertedDesc}n=Z.create(e,s,n.selection&&n.selection.map(r),I.mapEffects(n.effects,r),n.annotations,n.scrollIntoView)}let i=e.facet(gl);for(let s=i.
length-1;s>=0;s--){let r=i[s](n);r instanceof Z?n=r:Array.isArray(r)&&r.length==1&&r[0]instanceof Z?n=r[0]:n=xl(e,Ut(r),!1)}return n}function rc(n){let e=n.startState,
t=e.facet(Ol),i=n;for(let s=t.length-1;s>=0;s--){let r=t[s](n);r&&Object.keys(r).length&&(i=bl(i,Qs(e,r,n.changes.newLength),!0))}return i==n?n:Z.create(e,n.changes,
n.selection,i.effects,i.annotations,i.scrollIntoView)}var oc=[];function Ut(n){return n==null?oc:Array.isArray(n)?n:[n]}var Se=(function(n){return n[n.Word=0]="\
Word",n[n.Space=1]="Space",n[n.Other=2]="Other",n})(Se||(Se={})),lc=/[\u00df\u0587\u0590-\u05f4\u0600-\u06ff\u3040-\u309f\u30a0-\u30ff\u3400-\u4db5\u4e00-\u9fcc\uac00-\ud7af]/,
Ps;try{Ps=new RegExp("[\\p{Alphabetic}\\p{Number}_]","u")}catch{}function ac(n){if(Ps)return Ps.test(n);for(let e=0;e<n.length;e++){let t=n[e];if(/\w/.test(t)||
t>"\x80"&&(t.toUpperCase()!=t.toLowerCase()||lc.test(t)))return!0}return!1}function hc(n){return e=>{if(!/\S/.test(e))return Se.Space;if(ac(e))return Se.Word;for(let t=0;t<
n.length;t++)if(e.indexOf(n[t])>-1)return Se.Word;return Se.Other}}var X=class n{constructor(e,t,i,s,r,o){this.config=e,this.doc=t,this.selection=i,this.values=
s,this.status=e.statusTemplate.slice(),this.computeSlot=r,o&&(o._state=this);for(let l=0;l<this.config.dynamicSlots.length;l++)xi(this,l<<1);this.computeSlot=null}field(e,t=!0){
let i=this.config.address[e.id];if(i==null){if(t)throw new RangeError("Field is not present in this state");return}return xi(this,i),fn(this,i)}update(...e){return xl(
this,e,!0)}applyTransaction(e){let t=this.config,{base:i,compartments:s}=t;for(let l of e.effects)l.is(Gt.reconfigure)?(t&&(s=new Map,t.compartments.forEach((a,h)=>s.
set(h,a)),t=null),s.set(l.value.compartment,l.value.extension)):l.is(I.reconfigure)?(t=null,i=l.value):l.is(I.appendConfig)&&(t=null,i=Ut(i).concat(l.value));let r;
t?r=e.startState.values.slice():(t=hn.resolve(i,s,this),r=new n(t,this.doc,this.selection,t.dynamicSlots.map(()=>null),(a,h)=>h.reconfigure(a,this),null).values);
let o=e.startState.facet(vs)?e.newSelection:e.newSelection.asSingle();new n(t,e.newDoc,o,r,(l,a)=>a.update(l,e),e)}replaceSelection(e){return typeof e=="string"&&
(e=this.toText(e)),this.changeByRange(t=>({changes:{from:t.from,to:t.to,insert:e},range:b.cursor(t.from+e.length,-1)}))}changeByRange(e){let t=this.selection,i=e(
t.ranges[0]),s=this.changes(i.changes),r=[i.range],o=Ut(i.effects);for(let l=1;l<t.ranges.length;l++){let a=e(t.ranges[l]),h=this.changes(a.changes),f=h.map(s);
for(let u=0;u<l;u++)r[u]=r[u].map(f);let c=s.mapDesc(h,!0);r.push(a.range.map(c)),s=s.compose(f),o=I.mapEffects(o,f).concat(I.mapEffects(Ut(a.effects),c))}return{
changes:s,selection:b.create(r,t.mainIndex),effects:o}}changes(e=[]){return e instanceof ae?e:ae.of(e,this.doc.length,this.facet(n.lineSeparator))}toText(e){return D.
of(e.split(this.facet(n.lineSeparator)||xs))}sliceDoc(e=0,t=this.doc.length){return this.doc.sliceString(e,t,this.lineBreak)}facet(e){let t=this.config.address[e.
id];return t==null?e.default:(xi(this,t),fn(this,t))}toJSON(e){let t={doc:this.sliceDoc(),selection:this.selection.toJSON()};if(e)for(let i in e){let s=e[i];s instanceof
ge&&this.config.address[s.id]!=null&&(t[i]=s.spec.toJSON(this.field(e[i]),this))}return t}static fromJSON(e,t={},i){if(!e||typeof e.doc!="string")throw new RangeError(
"Invalid JSON representation for EditorState");let s=[];if(i){for(let r in i)if(Object.prototype.hasOwnProperty.call(e,r)){let o=i[r],l=e[r];s.push(o.init(a=>o.
spec.fromJSON(l,a)))}}return n.create({doc:e.doc,selection:b.fromJSON(e.selection),extensions:t.extensions?s.concat([t.extensions]):s})}static create(e={}){let t=hn.
resolve(e.extensions||[],new Map),i=e.doc instanceof D?e.doc:D.of((e.doc||"").split(t.staticFacet(n.lineSeparator)||xs)),s=e.selection?e.selection instanceof b?
e.selection:b.single(e.selection.anchor,e.selection.head):b.single(0);return ul(s,i.length),t.staticFacet(vs)||(s=s.asSingle()),new n(t,i,s,t.dynamicSlots.map(()=>null),
(r,o)=>o.create(r),null)}get tabSize(){return this.facet(n.tabSize)}get lineBreak(){return this.facet(n.lineSeparator)||`
`}get readOnly(){return this.facet(yl)}phrase(e,...t){for(let i of this.facet(n.phrases))if(Object.prototype.hasOwnProperty.call(i,e)){e=i[e];break}return t.length&&
(e=e.replace(/\$(\$|\d*)/g,(i,s)=>{if(s=="$")return"$";let r=+(s||1);return!r||r>t.length?i:t[r-1]})),e}languageDataAt(e,t,i=-1){let s=[];for(let r of this.facet(
dl))for(let o of r(this,t,i))Object.prototype.hasOwnProperty.call(o,e)&&s.push(o[e]);return s}charCategorizer(e){let t=this.languageDataAt("wordChars",e);return hc(
t.length?t[0]:"")}wordAt(e){let{text:t,from:i,length:s}=this.doc.lineAt(e),r=this.charCategorizer(e),o=e-i,l=e-i;for(;o>0;){let a=K(t,o,!1);if(r(t.slice(a,o))!=
Se.Word)break;o=a}for(;l<s;){let a=K(t,l);if(r(t.slice(l,a))!=Se.Word)break;l=a}return o==l?null:b.range(o+i,l+i)}};X.allowMultipleSelections=vs;X.tabSize=Q.define(
{combine:n=>n.length?n[0]:4});X.lineSeparator=pl;X.readOnly=yl;X.phrases=Q.define({compare(n,e){let t=Object.keys(n),i=Object.keys(e);return t.length==i.length&&
t.every(s=>n[s]==e[s])}});X.languageData=dl;X.changeFilter=ml;X.transactionFilter=gl;X.transactionExtender=Ol;Gt.reconfigure=I.define();function ct(n,e,t={}){let i={};
for(let s of n)for(let r of Object.keys(s)){let o=s[r],l=i[r];if(l===void 0)i[r]=o;else if(!(l===o||o===void 0))if(Object.hasOwnProperty.call(t,r))i[r]=t[r](l,o);else
throw new Error("Config merge conflict for field "+r)}for(let s in e)i[s]===void 0&&(i[s]=e[s]);return i}var ke=class{eq(e){return this==e}range(e,t=e){return ki.
create(e,t,this)}};ke.prototype.startSide=ke.prototype.endSide=0;ke.prototype.point=!1;ke.prototype.mapMode=te.TrackDel;function qs(n,e){return n==e||n.constructor==
e.constructor&&n.eq(e)}var ki=class n{constructor(e,t,i){this.from=e,this.to=t,this.value=i}static create(e,t,i){return new n(e,t,i)}};function As(n,e){return n.
from-e.from||n.value.startSide-e.value.startSide}var Rs=class n{constructor(e,t,i,s){this.from=e,this.to=t,this.value=i,this.maxPoint=s}get length(){return Ft(this.
to)}findIndex(e,t,i,s=0){let r=i?this.to:this.from;for(let o=s,l=r.length;;){if(o==l)return o;let a=o+l>>1,h=r[a]-e||(i?this.value[a].endSide:this.value[a].startSide)-
t;if(a==o)return h>=0?o:l;h>=0?l=a:o=a+1}}between(e,t,i,s){for(let r=this.findIndex(t,-1e9,!0),o=this.findIndex(i,1e9,!1,r);r<o;r++)if(s(this.from[r]+e,this.to[r]+
e,this.value[r])===!1)return!1}map(e,t,i,s,r){let o=[],l=[],a=[],h=-1,f=-1;e:for(let c=0;c<this.value.length;c++){let u=this.value[c],d=this.from[c]+e,p=this.to[c]+
e,m,g;if(d==p){let y=t.mapPos(d,u.startSide,u.mapMode);if(y==null||(m=g=y,u.startSide!=u.endSide&&(g=t.mapPos(d,u.endSide),g<m)))continue}else if(m=t.mapPos(d,u.
startSide),g=t.mapPos(p,u.endSide),m>g||m==g&&u.startSide>0&&u.endSide<=0)continue;if(!((g-m||u.endSide-u.startSide)<0))if(h<0&&(h=m),u.point&&(f=Math.max(f,g-m)),
(m-i||u.startSide-s)>=0)o.push(u),l.push(m-h),a.push(g-h),i=g,s=u.endSide;else{if(m==g)for(let y=o.length;y>0;y--){if((m-(a[y-1]+h)||u.startSide-o[y-1].endSide)>=
0){o.splice(y,0,u),l.splice(y,0,m-h),a.splice(y,0,g-h);continue e}if((m-(l[y-1]+h)||u.endSide-o[y-1].startSide)>0)break}r(m,g,u)}}return{mapped:o.length?new n(l,
a,o,f):null,pos:h}}},z=class n{constructor(e,t,i,s){this.chunkPos=e,this.chunk=t,this.nextLayer=i,this.maxPoint=s}static create(e,t,i,s){return new n(e,t,i,s)}get length(){
let e=this.chunk.length-1;return e<0?0:Math.max(this.chunkEnd(e),this.nextLayer.length)}get size(){if(this.isEmpty)return 0;let e=this.nextLayer.size;for(let t of this.
chunk)e+=t.value.length;return e}chunkEnd(e){return this.chunkPos[e]+this.chunk[e].length}update(e){let{add:t=[],sort:i=!1,filterFrom:s=0,filterTo:r=this.length}=e,
o=e.filter;if(t.length==0&&!o)return this;if(i&&(t=t.slice().sort(As)),this.isEmpty)return t.length?n.of(t):this;let l=new cn(this,null,-1).goto(0),a=0,h=[],f=new Je;
for(;l.value||a<t.length;)if(a<t.length&&(l.from-t[a].from||l.startSide-t[a].value.startSide)>=0){let c=t[a++];f.addInner(c.from,c.to,c.value,!1)||h.push(c)}else
l.rangeIndex==1&&l.chunkIndex<this.chunk.length&&(a==t.length||this.chunkEnd(l.chunkIndex)<t[a].from)&&(!o||s>this.chunkEnd(l.chunkIndex)||r<this.chunkPos[l.chunkIndex])&&
f.addChunk(this.chunkPos[l.chunkIndex],this.chunk[l.chunkIndex])?l.nextChunk():((!o||s>l.to||r<l.from||o(l.from,l.to,l.value))&&(f.addInner(l.from,l.to,l.value,
!1)||h.push(ki.create(l.from,l.to,l.value))),l.next());return f.finishInner(this.nextLayer.isEmpty&&!h.length?n.empty:this.nextLayer.update({add:h,filter:o,filterFrom:s,
filterTo:r}))}map(e){if(e.empty||this.isEmpty)return this;let t=[],i=[],s=-1,r,o=(a,h,f)=>{r||(r=new Je),r.addRange(a,h,f,!1)};for(let a=0;a<this.chunk.length;a++){
let h=this.chunkPos[a],f=this.chunk[a],c=e.touchesRange(h,h+f.length);if(c===!1)s=Math.max(s,f.maxPoint),t.push(f),i.push(e.mapPos(h));else if(c===!0){let[u,d]=t.
length?[Ft(i)+Ft(t).length,Ft(Ft(t).value).endSide]:[-1,-1],{mapped:p,pos:m}=f.map(h,e,u,d,o);p&&(s=Math.max(s,p.maxPoint),t.push(p),i.push(m))}}let l=this.nextLayer.
map(e);return r&&(l=r.finishInner(l)),t.length==0?l:new n(i,t,l||n.empty,s)}between(e,t,i){if(!this.isEmpty){for(let s=0;s<this.chunk.length;s++){let r=this.chunkPos[s],
o=this.chunk[s];if(t>=r&&e<=r+o.length&&o.between(r,e-r,t-r,i)===!1)return}this.nextLayer.between(e,t,i)}}iter(e=0){return wi.from([this]).goto(e)}get isEmpty(){
return this.nextLayer==this}static iter(e,t=0){return wi.from(e).goto(t)}static compare(e,t,i,s,r=-1){let o=e.filter(c=>c.maxPoint>0||!c.isEmpty&&c.maxPoint>=r),
l=t.filter(c=>c.maxPoint>0||!c.isEmpty&&c.maxPoint>=r),a=al(o,l,i),h=new Tt(o,a,r),f=new Tt(l,a,r);i.iterGaps((c,u,d)=>hl(h,c,f,u,d,s)),i.empty&&i.length==0&&hl(
h,0,f,0,0,s)}static eq(e,t,i=0,s){s==null&&(s=999999999);let r=e.filter(f=>!f.isEmpty&&t.indexOf(f)<0),o=t.filter(f=>!f.isEmpty&&e.indexOf(f)<0);if(r.length!=o.
length)return!1;if(!r.length)return!0;let l=al(r,o),a=new Tt(r,l,0).goto(i),h=new Tt(o,l,0).goto(i);for(;;){if(a.to!=h.to||!Ms(a.active,h.active)||a.point&&(!h.
point||!qs(a.point,h.point)))return!1;if(a.to>s)return!0;a.next(),h.next()}}static spans(e,t,i,s,r=-1){let o=new Tt(e,null,r).goto(t),l=t,a=o.openStart;for(;;){
let h=Math.min(o.to,i);if(o.point){let f=o.activeForPoint(o.to),c=o.pointFrom<t?f.length+1:o.point.startSide<0?f.length:Math.min(f.length,a);s.point(l,h,o.point,
f,c,o.pointRank),a=Math.min(o.openEnd(h),f.length)}else h>l&&(s.span(l,h,o.active,a),a=o.openEnd(h));if(o.to>i)return a+(o.point&&o.to>i?1:0);l=o.to,o.next()}}static of(e,t=!1){
let i=new Je;for(let s of e instanceof ki?[e]:t?fc(e):e)i.add(s.from,s.to,s.value);return i.finish()}static join(e){if(!e.length)return n.empty;let t=Ft(e);for(let i=e.
length-2;i>=0;i--)for(let s=e[i];s!=n.empty;s=s.nextLayer)t=new n(s.chunkPos,s.chunk,t,Math.max(s.maxPoint,t.maxPoint));return t}};z.empty=new z([],[],null,-1);
function Ft(n){return n[n.length-1]}function fc(n){if(n.length>1)for(let e=n[0],t=1;t<n.length;t++){let i=n[t];if(As(e,i)>0)return n.slice().sort(As);e=i}return n}
z.empty.nextLayer=z.empty;var Je=class n{finishChunk(e){this.chunks.push(new Rs(this.from,this.to,this.value,this.maxPoint)),this.chunkPos.push(this.chunkStart),
this.chunkStart=-1,this.setMaxPoint=Math.max(this.setMaxPoint,this.maxPoint),this.maxPoint=-1,e&&(this.from=[],this.to=[],this.value=[])}constructor(){this.chunks=
[],this.chunkPos=[],this.chunkStart=-1,this.last=null,this.lastFrom=-1e9,this.lastTo=-1e9,this.from=[],this.to=[],this.value=[],this.maxPoint=-1,this.setMaxPoint=
-1,this.nextLayer=null}add(e,t,i){this.addRange(e,t,i,!0)}addRange(e,t,i,s){this.addInner(e,t,i,s)||(this.nextLayer||(this.nextLayer=new n)).addRange(e,t,i,s)}addInner(e,t,i,s){
let r=e-this.lastTo||i.startSide-this.last.endSide;if(s&&r<=0&&(e-this.lastFrom||i.startSide-this.last.startSide)<0)throw new Error("Ranges must be added sorted\
 by `from` position and `startSide`");return r<0?!1:(this.from.length==250&&this.finishChunk(!0),this.chunkStart<0&&(this.chunkStart=e),this.from.push(e-this.chunkStart),
this.to.push(t-this.chunkStart),this.last=i,this.lastFrom=e,this.lastTo=t,this.value.push(i),i.point&&(this.maxPoint=Math.max(this.maxPoint,t-e)),!0)}addChunk(e,t){
if((e-this.lastTo||t.value[0].startSide-this.last.endSide)<0)return!1;this.from.length&&this.finishChunk(!0),this.setMaxPoint=Math.max(this.setMaxPoint,t.maxPoint),
this.chunks.push(t),this.chunkPos.push(e);let i=t.value.length-1;return this.last=t.value[i],this.lastFrom=t.from[i]+e,this.lastTo=t.to[i]+e,!0}finish(){return this.
finishInner(z.empty)}finishInner(e){if(this.from.length&&this.finishChunk(!1),this.chunks.length==0)return e;let t=z.create(this.chunkPos,this.chunks,this.nextLayer?
this.nextLayer.finishInner(e):e,this.setMaxPoint);return this.from=null,t}};function al(n,e,t){let i=new Map;for(let r of n)for(let o=0;o<r.chunk.length;o++)r.chunk[o].
maxPoint<=0&&i.set(r.chunk[o],r.chunkPos[o]);let s=new Set;for(let r of e)for(let o=0;o<r.chunk.length;o++){let l=i.get(r.chunk[o]);l!=null&&(t?t.mapPos(l):l)==
r.chunkPos[o]&&!t?.touchesRange(l,l+r.chunk[o].length)&&s.add(r.chunk[o])}return s}var cn=class{constructor(e,t,i,s=0){this.layer=e,this.skip=t,this.minPoint=i,
this.rank=s}get startSide(){return this.value?this.value.startSide:0}get endSide(){return this.value?this.value.endSide:0}goto(e,t=-1e9){return this.chunkIndex=
this.rangeIndex=0,this.gotoInner(e,t,!1),this}gotoInner(e,t,i){for(;this.chunkIndex<this.layer.chunk.length;){let s=this.layer.chunk[this.chunkIndex];if(!(this.
skip&&this.skip.has(s)||this.layer.chunkEnd(this.chunkIndex)<e||s.maxPoint<this.minPoint))break;this.chunkIndex++,i=!1}if(this.chunkIndex<this.layer.chunk.length){
let s=this.layer.chunk[this.chunkIndex].findIndex(e-this.layer.chunkPos[this.chunkIndex],t,!0);(!i||this.rangeIndex<s)&&this.setRangeIndex(s)}this.next()}forward(e,t){
(this.to-e||this.endSide-t)<0&&this.gotoInner(e,t,!0)}next(){for(;;)if(this.chunkIndex==this.layer.chunk.length){this.from=this.to=1e9,this.value=null;break}else{
let e=this.layer.chunkPos[this.chunkIndex],t=this.layer.chunk[this.chunkIndex],i=e+t.from[this.rangeIndex];if(this.from=i,this.to=e+t.to[this.rangeIndex],this.value=
t.value[this.rangeIndex],this.setRangeIndex(this.rangeIndex+1),this.minPoint<0||this.value.point&&this.to-this.from>=this.minPoint)break}}setRangeIndex(e){if(e==
this.layer.chunk[this.chunkIndex].value.length){if(this.chunkIndex++,this.skip)for(;this.chunkIndex<this.layer.chunk.length&&this.skip.has(this.layer.chunk[this.
chunkIndex]);)this.chunkIndex++;this.rangeIndex=0}else this.rangeIndex=e}nextChunk(){this.chunkIndex++,this.rangeIndex=0,this.next()}compare(e){return this.from-
e.from||this.startSide-e.startSide||this.rank-e.rank||this.to-e.to||this.endSide-e.endSide}},wi=class n{constructor(e){this.heap=e}static from(e,t=null,i=-1){let s=[];
for(let r=0;r<e.length;r++)for(let o=e[r];!o.isEmpty;o=o.nextLayer)o.maxPoint>=i&&s.push(new cn(o,t,i,r));return s.length==1?s[0]:new n(s)}get startSide(){return this.
value?this.value.startSide:0}goto(e,t=-1e9){for(let i of this.heap)i.goto(e,t);for(let i=this.heap.length>>1;i>=0;i--)ys(this.heap,i);return this.next(),this}forward(e,t){
for(let i of this.heap)i.forward(e,t);for(let i=this.heap.length>>1;i>=0;i--)ys(this.heap,i);(this.to-e||this.value.endSide-t)<0&&this.next()}next(){if(this.heap.
length==0)this.from=this.to=1e9,this.value=null,this.rank=-1;else{let e=this.heap[0];this.from=e.from,this.to=e.to,this.value=e.value,this.rank=e.rank,e.value&&
e.next(),ys(this.heap,0)}}};function ys(n,e){for(let t=n[e];;){let i=(e<<1)+1;if(i>=n.length)break;let s=n[i];if(i+1<n.length&&s.compare(n[i+1])>=0&&(s=n[i+1],i++),
t.compare(s)<0)break;n[i]=t,n[e]=s,e=i}}var Tt=class{constructor(e,t,i){this.minPoint=i,this.active=[],this.activeTo=[],this.activeRank=[],this.minActive=-1,this.
point=null,this.pointFrom=0,this.pointRank=0,this.to=-1e9,this.endSide=0,this.openStart=-1,this.cursor=wi.from(e,t,i)}goto(e,t=-1e9){return this.cursor.goto(e,t),
this.active.length=this.activeTo.length=this.activeRank.length=0,this.minActive=-1,this.to=e,this.endSide=t,this.openStart=-1,this.next(),this}forward(e,t){for(;this.
minActive>-1&&(this.activeTo[this.minActive]-e||this.active[this.minActive].endSide-t)<0;)this.removeActive(this.minActive);this.cursor.forward(e,t)}removeActive(e){
nn(this.active,e),nn(this.activeTo,e),nn(this.activeRank,e),this.minActive=fl(this.active,this.activeTo)}addActive(e){let t=0,{value:i,to:s,rank:r}=this.cursor;
for(;t<this.activeRank.length&&(r-this.activeRank[t]||s-this.activeTo[t])>0;)t++;sn(this.active,t,i),sn(this.activeTo,t,s),sn(this.activeRank,t,r),e&&sn(e,t,this.
cursor.from),this.minActive=fl(this.active,this.activeTo)}next(){let e=this.to,t=this.point;this.point=null;let i=this.openStart<0?[]:null;for(;;){let s=this.minActive;
if(s>-1&&(this.activeTo[s]-this.cursor.from||this.active[s].endSide-this.cursor.startSide)<0){if(this.activeTo[s]>e){this.to=this.activeTo[s],this.endSide=this.
active[s].endSide;break}this.removeActive(s),i&&nn(i,s)}else if(this.cursor.value)if(this.cursor.from>e){this.to=this.cursor.from,this.endSide=this.cursor.startSide;
break}else{let r=this.cursor.value;if(!r.point)this.addActive(i),this.cursor.next();else if(t&&this.cursor.to==this.to&&this.cursor.from<this.cursor.to)this.cursor.
next();else{this.point=r,this.pointFrom=this.cursor.from,this.pointRank=this.cursor.rank,this.to=this.cursor.to,this.endSide=r.endSide,this.cursor.next(),this.forward(
this.to,this.endSide);break}}else{this.to=this.endSide=1e9;break}}if(i){this.openStart=0;for(let s=i.length-1;s>=0&&i[s]<e;s--)this.openStart++}}activeForPoint(e){
if(!this.active.length)return this.active;let t=[];for(let i=this.active.length-1;i>=0&&!(this.activeRank[i]<this.pointRank);i--)(this.activeTo[i]>e||this.activeTo[i]==
e&&this.active[i].endSide>=this.point.endSide)&&t.push(this.active[i]);return t.reverse()}openEnd(e){let t=0;for(let i=this.activeTo.length-1;i>=0&&this.activeTo[i]>
e;i--)t++;return t}};function hl(n,e,t,i,s,r){n.goto(e),t.goto(i);let o=i+s,l=i,a=i-e,h=!!r.boundChange;for(let f=!1;;){let c=n.to+a-t.to,u=c||n.endSide-t.endSide,
d=u<0?n.to+a:t.to,p=Math.min(d,o);if(n.point||t.point?(n.point&&t.point&&qs(n.point,t.point)&&Ms(n.activeForPoint(n.to),t.activeForPoint(t.to))||r.comparePoint(
l,p,n.point,t.point),f=!1):(f&&(r.boundChange(l),f=!1),p>l&&!Ms(n.active,t.active)&&r.compareRange(l,p,n.active,t.active),h&&p<o&&(c||n.openEnd(d)!=t.openEnd(d))&&
(f=!0)),d>o)break;l=d,u<=0&&n.next(),u>=0&&t.next()}}function Ms(n,e){if(n.length!=e.length)return!1;for(let t=0;t<n.length;t++)if(n[t]!=e[t]&&!qs(n[t],e[t]))return!1;
return!0}function nn(n,e){for(let t=e,i=n.length-1;t<i;t++)n[t]=n[t+1];n.pop()}function sn(n,e,t){for(let i=n.length-1;i>=e;i--)n[i+1]=n[i];n[e]=t}function fl(n,e){
let t=-1,i=1e9;for(let s=0;s<e.length;s++)(e[s]-i||n[s].endSide-n[t].endSide)<0&&(t=s,i=e[s]);return t}function ut(n,e,t=n.length){let i=0;for(let s=0;s<t&&s<n.
length;)n.charCodeAt(s)==9?(i+=e-i%e,s++):(i++,s=K(n,s));return i}function Sl(n,e,t,i){for(let s=0,r=0;;){if(r>=e)return s;if(s==n.length)break;r+=n.charCodeAt(
s)==9?t-r%t:1,s=K(n,s)}return i===!0?-1:n.length}var kl=typeof Symbol>"u"?"__\u037C":Symbol.for("\u037C"),$s=typeof Symbol>"u"?"__styleSet"+Math.floor(Math.random()*1e8):Symbol("styleSet"),wl=typeof globalThis<
"u"?globalThis:typeof window<"u"?window:{},we=class{constructor(e,t){this.rules=[];let{finish:i}=t||{};function s(o){return/^@/.test(o)?[o]:o.split(/,\s*/)}function r(o,l,a,h){
let f=[],c=/^@(\w+)\b/.exec(o[0]),u=c&&c[1]=="keyframes";if(c&&l==null)return a.push(o[0]+";");for(let d in l){let p=l[d];if(/&/.test(d))r(d.split(/,\s*/).map(m=>o.
map(g=>m.replace(/&/,g))).reduce((m,g)=>m.concat(g)),p,a);else if(p&&typeof p=="object"){if(!c)throw new RangeError("The value of a property ("+d+") should be a\
 primitive value.");r(s(d),p,f,u)}else p!=null&&f.push(d.replace(/_.*/,"").replace(/[A-Z]/g,m=>"-"+m.toLowerCase())+": "+p+";")}(f.length||u)&&a.push((i&&!c&&!h?
o.map(i):o).join(", ")+" {"+f.join(" ")+"}")}for(let o in e)r(s(o),e[o],this.rules)}getRules(){return this.rules.join(`
`)}static newName(){let e=wl[kl]||1;return wl[kl]=e+1,"\u037C"+e.toString(36)}static mount(e,t,i){let s=e[$s],r=i&&i.nonce;s?r&&s.setNonce(r):s=new Ws(e,r),s.mount(
Array.isArray(t)?t:[t],e)}},vl=new Map,Ws=class{constructor(e,t){let i=e.ownerDocument||e,s=i.defaultView;if(!e.head&&e.adoptedStyleSheets&&s.CSSStyleSheet){let r=vl.
get(i);if(r)return e[$s]=r;this.sheet=new s.CSSStyleSheet,vl.set(i,this)}else this.styleTag=i.createElement("style"),t&&this.styleTag.setAttribute("nonce",t);this.
modules=[],e[$s]=this}mount(e,t){let i=this.sheet,s=0,r=0,o=!1;for(let l=0;l<e.length;l++){let a=e[l],h=this.modules.indexOf(a);if(h<r&&h>-1&&(this.modules.splice(
h,1),o=!0,r--,h=-1),h==-1){if(this.modules.splice(r++,0,a),o=!0,i)for(let f=0;f<a.rules.length;f++)i.insertRule(a.rules[f],s++)}else{for(;r<h;)s+=this.modules[r++].
rules.length;s+=a.rules.length,r++}}if(i)t.adoptedStyleSheets.indexOf(this.sheet)<0&&(t.adoptedStyleSheets=[this.sheet,...t.adoptedStyleSheets]);else{if(o){let a="";
for(let h=0;h<this.modules.length;h++)a+=this.modules[h].getRules()+`
`;this.styleTag.textContent=a}let l=t.head||t;this.styleTag.parentNode!=l&&l.insertBefore(this.styleTag,l.firstChild)}}setNonce(e){this.styleTag&&this.styleTag.
getAttribute("nonce")!=e&&this.styleTag.setAttribute("nonce",e)}};var et={8:"Backspace",9:"Tab",10:"Enter",12:"NumLock",13:"Enter",16:"Shift",17:"Control",18:"Alt",20:"CapsLock",27:"Escape",32:" ",33:"PageUp",34:"PageDown",35:"\
End",36:"Home",37:"ArrowLeft",38:"ArrowUp",39:"ArrowRight",40:"ArrowDown",44:"PrintScreen",45:"Insert",46:"Delete",59:";",61:"=",91:"Meta",92:"Meta",106:"*",107:"\
+",108:",",109:"-",110:".",111:"/",144:"NumLock",145:"ScrollLock",160:"Shift",161:"Shift",162:"Control",163:"Control",164:"Alt",165:"Alt",173:"-",186:";",187:"=",
188:",",189:"-",190:".",191:"/",192:"`",219:"[",220:"\\",221:"]",222:"'"},Zt={48:")",49:"!",50:"@",51:"#",52:"$",53:"%",54:"^",55:"&",56:"*",57:"(",59:":",61:"+",
173:"_",186:":",187:"+",188:"<",189:"_",190:">",191:"?",192:"~",219:"{",220:"|",221:"}",222:'"'},cc=typeof navigator<"u"&&/Mac/.test(navigator.platform),uc=typeof navigator<
"u"&&/MSIE \d|Trident\/(?:[7-9]|\d{2,})\..*rv:(\d+)/.exec(navigator.userAgent);for(Y=0;Y<10;Y++)et[48+Y]=et[96+Y]=String(Y);var Y;for(Y=1;Y<=24;Y++)et[Y+111]="F"+
Y;var Y;for(Y=65;Y<=90;Y++)et[Y]=String.fromCharCode(Y+32),Zt[Y]=String.fromCharCode(Y);var Y;for(dn in et)Zt.hasOwnProperty(dn)||(Zt[dn]=et[dn]);var dn;function Tl(n){
var e=cc&&n.metaKey&&n.shiftKey&&!n.ctrlKey&&!n.altKey||uc&&n.shiftKey&&n.key&&n.key.length==1||n.key=="Unidentified",t=!e&&n.key||(n.shiftKey?Zt:et)[n.keyCode]||
n.key||"Unidentified";return t=="Esc"&&(t="Escape"),t=="Del"&&(t="Delete"),t=="Left"&&(t="ArrowLeft"),t=="Up"&&(t="ArrowUp"),t=="Right"&&(t="ArrowRight"),t=="Do\
wn"&&(t="ArrowDown"),t}var he=typeof navigator<"u"?navigator:{userAgent:"",vendor:"",platform:""},Hs=typeof document<"u"?document:{documentElement:{style:{}}},Us=/Edge\/(\d+)/.exec(he.
userAgent),sa=/MSIE \d/.test(he.userAgent),js=/Trident\/(?:[7-9]|\d{2,})\..*rv:(\d+)/.exec(he.userAgent),In=!!(sa||js||Us),Cl=!In&&/gecko\/(\d+)/i.test(he.userAgent),
Ls=!In&&/Chrome\/(\d+)/.exec(he.userAgent),Ql="webkitFontSmoothing"in Hs.documentElement.style,Gs=!In&&/Apple Computer/.test(he.vendor),Pl=Gs&&(/Mobile\/\w+/.test(
he.userAgent)||he.maxTouchPoints>2),w={mac:Pl||/Mac/.test(he.platform),windows:/Win/.test(he.platform),linux:/Linux|X11/.test(he.platform),ie:In,ie_version:sa?Hs.
documentMode||6:js?+js[1]:Us?+Us[1]:0,gecko:Cl,gecko_version:Cl?+(/Firefox\/(\d+)/.exec(he.userAgent)||[0,0])[1]:0,chrome:!!Ls,chrome_version:Ls?+Ls[1]:0,ios:Pl,
android:/Android\b/.test(he.userAgent),webkit:Ql,webkit_version:Ql?+(/\bAppleWebKit\/(\d+)/.exec(he.userAgent)||[0,0])[1]:0,safari:Gs,safari_version:Gs?+(/\bVersion\/(\d+(\.\d+)?)/.
exec(he.userAgent)||[0,0])[1]:0,tabSize:Hs.documentElement.style.tabSize!=null?"tab-size":"-moz-tab-size"};function Vr(n,e){for(let t in n)t=="class"&&e.class?e.
class+=" "+n.class:t=="style"&&e.style?e.style+=";"+n.style:e[t]=n[t];return e}var Cn=Object.create(null);function Xr(n,e,t){if(n==e)return!0;n||(n=Cn),e||(e=Cn);
let i=Object.keys(n),s=Object.keys(e);if(i.length-0!=s.length-0)return!1;for(let r of i)if(r!=t&&(s.indexOf(r)==-1||n[r]!==e[r]))return!1;return!0}function dc(n,e){
for(let t=n.attributes.length-1;t>=0;t--){let i=n.attributes[t].name;e[i]==null&&n.removeAttribute(i)}for(let t in e){let i=e[t];t=="style"?n.style.cssText=i:n.
getAttribute(t)!=i&&n.setAttribute(t,i)}}function Al(n,e,t){let i=!1;if(e)for(let s in e)t&&s in t||(i=!0,s=="style"?n.style.cssText="":n.removeAttribute(s));if(t)
for(let s in t)e&&e[s]==t[s]||(i=!0,s=="style"?n.style.cssText=t[s]:n.setAttribute(s,t[s]));return i}function pc(n){let e=Object.create(null);for(let t=0;t<n.attributes.
length;t++){let i=n.attributes[t];e[i.name]=i.value}return e}var Be=class{eq(e){return!1}updateDOM(e,t,i){return!1}compare(e){return this==e||this.constructor==
e.constructor&&this.eq(e)}get estimatedHeight(){return-1}get lineBreaks(){return 0}ignoreEvent(e){return!0}coordsAt(e,t,i){return null}get isHidden(){return!1}get editable(){
return!1}destroy(e){}},ie=(function(n){return n[n.Text=0]="Text",n[n.WidgetBefore=1]="WidgetBefore",n[n.WidgetAfter=2]="WidgetAfter",n[n.WidgetRange=3]="WidgetR\
ange",n})(ie||(ie={})),W=class extends ke{constructor(e,t,i,s){super(),this.startSide=e,this.endSide=t,this.widget=i,this.spec=s}get heightRelevant(){return!1}static mark(e){
return new Bi(e)}static widget(e){let t=Math.max(-1e4,Math.min(1e4,e.side||0)),i=!!e.block;return t+=i&&!e.inlineOrder?t>0?3e8:-4e8:t>0?1e8:-1e8,new Mt(e,t,t,i,
e.widget||null,!1)}static replace(e){let t=!!e.block,i,s;if(e.isBlockGap)i=-5e8,s=4e8;else{let{start:r,end:o}=ra(e,t);i=(r?t?-3e8:-1:5e8)-1,s=(o?t?2e8:1:-6e8)+1}
return new Mt(e,i,s,t,e.widget||null,!0)}static line(e){return new qi(e)}static set(e,t=!1){return z.of(e,t)}hasHeight(){return this.widget?this.widget.estimatedHeight>
-1:!1}};W.none=z.empty;var Bi=class n extends W{constructor(e){let{start:t,end:i}=ra(e);super(t?-1:5e8,i?1:-6e8,null,e),this.tagName=e.tagName||"span",this.attrs=
e.class&&e.attributes?Vr(e.attributes,{class:e.class}):e.class?{class:e.class}:e.attributes||Cn}eq(e){return this==e||e instanceof n&&this.tagName==e.tagName&&Xr(
this.attrs,e.attrs)}range(e,t=e){if(e>=t)throw new RangeError("Mark decorations may not be empty");return super.range(e,t)}};Bi.prototype.point=!1;var qi=class n extends W{constructor(e){
super(-2e8,-2e8,null,e)}eq(e){return e instanceof n&&this.spec.class==e.spec.class&&Xr(this.spec.attributes,e.spec.attributes)}range(e,t=e){if(t!=e)throw new RangeError(
"Line decoration ranges must be zero-length");return super.range(e,t)}};qi.prototype.mapMode=te.TrackBefore;qi.prototype.point=!0;var Mt=class n extends W{constructor(e,t,i,s,r,o){
super(t,i,r,e),this.block=s,this.isReplace=o,this.mapMode=s?t<=0?te.TrackBefore:te.TrackAfter:te.TrackDel}get type(){return this.startSide!=this.endSide?ie.WidgetRange:
this.startSide<=0?ie.WidgetBefore:ie.WidgetAfter}get heightRelevant(){return this.block||!!this.widget&&(this.widget.estimatedHeight>=5||this.widget.lineBreaks>
0)}eq(e){return e instanceof n&&mc(this.widget,e.widget)&&this.block==e.block&&this.startSide==e.startSide&&this.endSide==e.endSide}range(e,t=e){if(this.isReplace&&
(e>t||e==t&&this.startSide>0&&this.endSide<=0))throw new RangeError("Invalid range for replacement decoration");if(!this.isReplace&&t!=e)throw new RangeError("W\
idget decorations can only have zero-length ranges");return super.range(e,t)}};Mt.prototype.point=!0;function ra(n,e=!1){let{inclusiveStart:t,inclusiveEnd:i}=n;
return t==null&&(t=n.inclusive),i==null&&(i=n.inclusive),{start:t??e,end:i??e}}function mc(n,e){return n==e||!!(n&&e&&n.compare(e))}function ti(n,e,t,i=0){let s=t.
length-1;s>=0&&t[s]+i>=n?t[s]=Math.max(t[s],e):t.push(n,e)}var Qn=class n extends ke{constructor(e,t,i){super(),this.tagName=e,this.attributes=t,this.rank=i}eq(e){
return e==this||e instanceof n&&this.tagName==e.tagName&&Xr(this.attributes,e.attributes)}static create(e){return new n(e.tagName,e.attributes||Cn,e.rank==null?
50:Math.max(0,Math.min(e.rank,100)))}static set(e,t=!1){return z.of(e,t)}};Qn.prototype.startSide=Qn.prototype.endSide=-1;var J=n=>n.nodeType==1,ni=n=>n.nodeType==
3;function $i(n){let e;return n.nodeType==11?e=n.getSelection?n:n.ownerDocument:e=n,e.getSelection()}function Zs(n,e){return e?n==e||n.contains(e.nodeType!=1?e.
parentNode:e):!1}function Ci(n,e){if(!e.anchorNode)return!1;try{return Zs(n,e.anchorNode)}catch{return!1}}function Sn(n){return ni(n)?Wi(n,0,n.nodeValue.length).
getClientRects():J(n)?n.getClientRects():[]}function Qi(n,e,t,i){return t?Rl(n,e,t,i,-1)||Rl(n,e,t,i,1):!1}function mt(n){for(var e=0;;e++)if(n=n.previousSibling,
!n)return e}function Pn(n){return J(n)&&/^(DIV|P|LI|UL|OL|BLOCKQUOTE|DD|DT|H\d|SECTION|PRE)$/.test(n.nodeName)}function Rl(n,e,t,i,s){for(;;){if(n==t&&e==i)return!0;
if(e==(s<0?0:nt(n))){if(n.nodeName=="DIV")return!1;let r=n.parentNode;if(!r||!J(r))return!1;e=mt(n)+(s<0?0:1),n=r}else if(J(n)){if(n=n.childNodes[e+(s<0?-1:0)],
J(n)&&(n.nodeName=="IMG"||n.nodeName=="BR"||n.contentEditable=="false"))return!1;e=s<0?nt(n):0}else return!1}}function nt(n){return ni(n)?n.nodeValue.length:n.childNodes.
length}function An(n,e){let{left:t,right:i}=n;if(t==i)return n;let s=e?t:i;return{left:s,right:s,top:n.top,bottom:n.bottom}}function gc(n){let e=n.visualViewport;
return e?{left:0,right:e.width,top:0,bottom:e.height}:{left:0,right:n.innerWidth,top:0,bottom:n.innerHeight}}function oa(n,e){let t=e.width/n.offsetWidth,i=e.height/
n.offsetHeight;return(t>.995&&t<1.005||!isFinite(t)||Math.abs(e.width-n.offsetWidth)<1)&&(t=1),(i>.995&&i<1.005||!isFinite(i)||Math.abs(e.height-n.offsetHeight)<
1)&&(i=1),{scaleX:t,scaleY:i}}function Oc(n,e,t,i,s,r,o,l){let a=n.ownerDocument,h=a.defaultView||window;for(let f=n,c=!1;f&&!c;)if(J(f)){let u,d=f==a.body,p=1,
m=1,g=!0,y=!0;if(d)u=gc(h);else{let R=getComputedStyle(f);if(/^(fixed|sticky)$/.test(R.position)&&(c=!0),(f.scrollHeight<=f.clientHeight||!/auto|scroll/.test(R.
overflowY))&&(y=!1),(f.scrollWidth<=f.clientWidth||!/auto|scroll/.test(R.overflowX))&&(g=!1),!g&&!y){f=f.assignedSlot||f.parentNode;continue}let x=f.getBoundingClientRect();
({scaleX:p,scaleY:m}=oa(f,x)),u={left:x.left,right:x.left+f.clientWidth*p,top:x.top,bottom:x.top+f.clientHeight*m}}let C=0,k=0;if(y)if(s=="nearest")e.top<u.top+
o?(k=e.top-(u.top+o),t>0&&e.bottom>u.bottom+k&&(k=e.bottom-u.bottom+o)):e.bottom>u.bottom-o&&(k=e.bottom-u.bottom+o,t<0&&e.top-k<u.top&&(k=e.top-(u.top+o)));else{
let R=e.bottom-e.top,x=u.bottom-u.top;k=(s=="center"&&R<=x?e.top+R/2-x/2:s=="start"||s=="center"&&t<0?e.top-o:e.bottom-x+o)-u.top}if(g&&(i=="nearest"?e.left<u.left+
r?(C=e.left-(u.left+r),t>0&&e.right>u.right+C&&(C=e.right-u.right+r)):e.right>u.right-r&&(C=e.right-u.right+r,t<0&&e.left<u.left+C&&(C=e.left-(u.left+r))):C=(i==
"center"?e.left+(e.right-e.left)/2-(u.right-u.left)/2:i=="start"==l?e.left-r:e.right-(u.right-u.left)+r)-u.left),C||k)if(d)h.scrollBy(C,k);else{let R=0,x=0;if(k){
let v=f.scrollTop;f.scrollTop+=k/m,x=(f.scrollTop-v)*m}if(C){let v=f.scrollLeft;f.scrollLeft+=C/p,R=(f.scrollLeft-v)*p}e={left:e.left-R,top:e.top-x,right:e.right-
R,bottom:e.bottom-x},R&&Math.abs(R-C)<1&&(i="nearest"),x&&Math.abs(x-k)<1&&(s="nearest")}if(d)break;(e.top<u.top||e.bottom>u.bottom||e.left<u.left||e.right>u.right)&&
(e={left:Math.max(e.left,u.left),right:Math.min(e.right,u.right),top:Math.max(e.top,u.top),bottom:Math.min(e.bottom,u.bottom)}),f=f.assignedSlot||f.parentNode}else if(f.
nodeType==11)f=f.host;else break}function la(n,e=!0){let t=n.ownerDocument,i=null,s=null;for(let r=n.parentNode;r&&!(r==t.body||(!e||i)&&s);)if(J(r))!s&&r.scrollHeight>
r.clientHeight&&/scroll|auto/.test(getComputedStyle(r).overflowY)&&(s=r),e&&!i&&r.scrollWidth>r.clientWidth&&/scroll|auto/.test(getComputedStyle(r).overflowX)&&
(i=r),r=r.assignedSlot||r.parentNode;else if(r.nodeType==11)r=r.host;else break;return{x:i,y:s}}var Ys=class{constructor(){this.anchorNode=null,this.anchorOffset=
0,this.focusNode=null,this.focusOffset=0}eq(e){return this.anchorNode==e.anchorNode&&this.anchorOffset==e.anchorOffset&&this.focusNode==e.focusNode&&this.focusOffset==
e.focusOffset}setRange(e){let{anchorNode:t,focusNode:i}=e;this.set(t,Math.min(e.anchorOffset,t?nt(t):0),i,Math.min(e.focusOffset,i?nt(i):0))}set(e,t,i,s){this.anchorNode=
e,this.anchorOffset=t,this.focusNode=i,this.focusOffset=s}};function aa(n){let e=[];for(let t=n;t;t=t.nodeType==11?t.host:t.parentNode)J(t)&&e.push({node:t,left:t.
scrollLeft,top:t.scrollTop});return e}function ha(n,e=!0){for(let{node:t,left:i,top:s}of n)e&&t.scrollTop!=s&&(t.scrollTop=s),t.scrollLeft!=i&&(t.scrollLeft=i)}
var Pt=null;w.safari&&w.safari_version>=26&&(Pt=!1);function fa(n){if(n.setActive)return n.setActive();if(Pt)return n.focus(Pt);let e=aa(n);n.focus(Pt==null?{get preventScroll(){
return Pt={preventScroll:!0},!0}}:void 0),Pt||(Pt=!1,ha(e))}var Ml;function Wi(n,e,t=e){let i=Ml||(Ml=document.createRange());return i.setEnd(n,t),i.setStart(n,
e),i}function ii(n,e,t,i){let s={key:e,code:e,keyCode:t,which:t,cancelable:!0};i&&({altKey:s.altKey,ctrlKey:s.ctrlKey,shiftKey:s.shiftKey,metaKey:s.metaKey}=i);
let r=new KeyboardEvent("keydown",s);r.synthetic=!0,n.dispatchEvent(r);let o=new KeyboardEvent("keyup",s);return o.synthetic=!0,n.dispatchEvent(o),r.defaultPrevented||
o.defaultPrevented}function yc(n){for(;n;){if(n&&(n.nodeType==9||n.nodeType==11&&n.host))return n;n=n.assignedSlot||n.parentNode}return null}function bc(n,e){let t=e.
focusNode,i=e.focusOffset;if(!t||e.anchorNode!=t||e.anchorOffset!=i)return!1;for(i=Math.min(i,nt(t));;)if(i){if(!J(t))return!1;let s=t.childNodes[i-1];s.contentEditable==
"false"?i--:(t=s,i=nt(t))}else{if(t==n)return!0;i=mt(t),t=t.parentNode}}function ca(n){return n instanceof Window?n.pageYOffset>Math.max(0,n.document.documentElement.
scrollHeight-n.innerHeight-4):n.scrollTop>Math.max(1,n.scrollHeight-n.clientHeight-4)}function ua(n,e){for(let t=n,i=e;;){if(ni(t)&&i>0)return{node:t,offset:i};
if(J(t)&&i>0){if(t.contentEditable=="false")return null;t=t.childNodes[i-1],i=nt(t)}else if(t.parentNode&&!Pn(t))i=mt(t),t=t.parentNode;else return null}}function da(n,e){
for(let t=n,i=e;;){if(ni(t)&&i<t.nodeValue.length)return{node:t,offset:i};if(J(t)&&i<t.childNodes.length){if(t.contentEditable=="false")return null;t=t.childNodes[i],
i=0}else if(t.parentNode&&!Pn(t))i=mt(t)+1,t=t.parentNode;else return null}}var Fe=class n{constructor(e,t,i=!0){this.node=e,this.offset=t,this.precise=i}static before(e,t){
return new n(e.parentNode,mt(e),t)}static after(e,t){return new n(e.parentNode,mt(e)+1,t)}},N=(function(n){return n[n.LTR=0]="LTR",n[n.RTL=1]="RTL",n})(N||(N={})),
si=N.LTR,Fr=N.RTL;function pa(n){let e=[];for(let t=0;t<n.length;t++)e.push(1<<+n[t]);return e}var xc=pa("888888888888888888888888888888888886668888887878333333\
3333788888800000000000000000000000000888888000000000000000000000000008888888888888888888888888888888888888786666888808888866338088830888880000000000000000000000\
0800000000000000000000000000000008"),Sc=pa("44444488266272889999999999922222222222222222222222222222222222222222222222299999999999999999999944444444446442228222\
22222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222222999999949999999229989999223333333333"),Ks=Object.create(null),
Xe=[];for(let n of["()","[]","{}"]){let e=n.charCodeAt(0),t=n.charCodeAt(1);Ks[e]=t,Ks[t]=-e}function ma(n){return n<=247?xc[n]:1424<=n&&n<=1524?2:1536<=n&&n<=1785?
Sc[n-1536]:1774<=n&&n<=2220?4:8192<=n&&n<=8204?256:64336<=n&&n<=65023?4:1}var kc=/[\u0590-\u05f4\u0600-\u06ff\u0700-\u08ac\ufb50-\ufdff]/,Ce=class{get dir(){return this.
level%2?Fr:si}constructor(e,t,i){this.from=e,this.to=t,this.level=i}side(e,t){return this.dir==t==e?this.to:this.from}forward(e,t){return e==(this.dir==t)}static find(e,t,i,s){
let r=-1;for(let o=0;o<e.length;o++){let l=e[o];if(l.from<=t&&l.to>=t){if(l.level==i)return o;(r<0||(s!=0?s<0?l.from<t:l.to>t:e[r].level>l.level))&&(r=o)}}if(r<
0)throw new RangeError("Index out of range");return r}};function ga(n,e){if(n.length!=e.length)return!1;for(let t=0;t<n.length;t++){let i=n[t],s=e[t];if(i.from!=
s.from||i.to!=s.to||i.direction!=s.direction||!ga(i.inner,s.inner))return!1}return!0}var F=[];function wc(n,e,t,i,s){for(let r=0;r<=i.length;r++){let o=r?i[r-1].
to:e,l=r<i.length?i[r].from:t,a=r?256:s;for(let h=o,f=a,c=a;h<l;h++){let u=ma(n.charCodeAt(h));u==512?u=f:u==8&&c==4&&(u=16),F[h]=u==4?2:u,u&7&&(c=u),f=u}for(let h=o,
f=a,c=a;h<l;h++){let u=F[h];if(u==128)h<l-1&&f==F[h+1]&&f&24?u=F[h]=f:F[h]=256;else if(u==64){let d=h+1;for(;d<l&&F[d]==64;)d++;let p=h&&f==8||d<t&&F[d]==8?c==1?
1:8:256;for(let m=h;m<d;m++)F[m]=p;h=d-1}else u==8&&c==1&&(F[h]=1);f=u,u&7&&(c=u)}}}function vc(n,e,t,i,s){let r=s==1?2:1;for(let o=0,l=0,a=0;o<=i.length;o++){let h=o?
i[o-1].to:e,f=o<i.length?i[o].from:t;for(let c=h,u,d,p;c<f;c++)if(d=Ks[u=n.charCodeAt(c)])if(d<0){for(let m=l-3;m>=0;m-=3)if(Xe[m+1]==-d){let g=Xe[m+2],y=g&2?s:
g&4?g&1?r:s:0;y&&(F[c]=F[Xe[m]]=y),l=m;break}}else{if(Xe.length==189)break;Xe[l++]=c,Xe[l++]=u,Xe[l++]=a}else if((p=F[c])==2||p==1){let m=p==s;a=m?0:1;for(let g=l-
3;g>=0;g-=3){let y=Xe[g+2];if(y&2)break;if(m)Xe[g+2]|=2;else{if(y&4)break;Xe[g+2]|=4}}}}}function Tc(n,e,t,i){for(let s=0,r=i;s<=t.length;s++){let o=s?t[s-1].to:
n,l=s<t.length?t[s].from:e;for(let a=o;a<l;){let h=F[a];if(h==256){let f=a+1;for(;;)if(f==l){if(s==t.length)break;f=t[s++].to,l=s<t.length?t[s].from:e}else if(F[f]==
256)f++;else break;let c=r==1,u=(f<e?F[f]:i)==1,d=c==u?c?1:2:i;for(let p=f,m=s,g=m?t[m-1].to:n;p>a;)p==g&&(p=t[--m].from,g=m?t[m-1].to:n),F[--p]=d;a=f}else r=h,
a++}}}function Js(n,e,t,i,s,r,o){let l=i%2?2:1;if(i%2==s%2)for(let a=e,h=0;a<t;){let f=!0,c=!1;if(h==r.length||a<r[h].from){let m=F[a];m!=l&&(f=!1,c=m==16)}let u=!f&&
l==1?[]:null,d=f?i:i+1,p=a;e:for(;;)if(h<r.length&&p==r[h].from){if(c)break e;let m=r[h];if(!f)for(let g=m.to,y=h+1;;){if(g==t)break e;if(y<r.length&&r[y].from==
g)g=r[y++].to;else{if(F[g]==l)break e;break}}if(h++,u)u.push(m);else{m.from>a&&o.push(new Ce(a,m.from,d));let g=m.direction==si!=!(d%2);er(n,g?i+1:i,s,m.inner,m.
from,m.to,o),a=m.to}p=m.to}else{if(p==t||(f?F[p]!=l:F[p]==l))break;p++}u?Js(n,a,p,i+1,s,u,o):a<p&&o.push(new Ce(a,p,d)),a=p}else for(let a=t,h=r.length;a>e;){let f=!0,
c=!1;if(!h||a>r[h-1].to){let m=F[a-1];m!=l&&(f=!1,c=m==16)}let u=!f&&l==1?[]:null,d=f?i:i+1,p=a;e:for(;;)if(h&&p==r[h-1].to){if(c)break e;let m=r[--h];if(!f)for(let g=m.
from,y=h;;){if(g==e)break e;if(y&&r[y-1].to==g)g=r[--y].from;else{if(F[g-1]==l)break e;break}}if(u)u.push(m);else{m.to<a&&o.push(new Ce(m.to,a,d));let g=m.direction==
si!=!(d%2);er(n,g?i+1:i,s,m.inner,m.from,m.to,o),a=m.from}p=m.from}else{if(p==e||(f?F[p-1]!=l:F[p-1]==l))break;p--}u?Js(n,p,a,i+1,s,u,o):p<a&&o.push(new Ce(p,a,
d)),a=p}}function er(n,e,t,i,s,r,o){let l=e%2?2:1;wc(n,s,r,i,l),vc(n,s,r,i,l),Tc(s,r,i,l),Js(n,s,r,e,t,i,o)}function Cc(n,e,t){if(!n)return[new Ce(0,0,e==Fr?1:0)];
if(e==si&&!t.length&&!kc.test(n))return Oa(n.length);if(t.length)for(;n.length>F.length;)F[F.length]=256;let i=[],s=e==si?0:1;return er(n,s,s,t,0,n.length,i),i}
function Oa(n){return[new Ce(0,n,0)]}var ya="";function Qc(n,e,t,i,s){var r;if(!n.length)return null;let o=i.head-n.from,l;if(i.head==n.from&&i.assoc<0){if(!s)return null;
o=e[l=0].side(!1,t)}else if(i.head==n.to&&i.assoc>0){if(s)return null;o=e[l=e.length-1].side(!0,t)}else l=Ce.find(e,o,(r=i.bidiLevel)!==null&&r!==void 0?r:-1,i.
assoc);let a=e[l],h=a.side(s,t);if(o==h){let u=l+=s?1:-1;if(u<0||u>=e.length)return null;a=e[l=u],o=a.side(!s,t),h=a.side(s,t)}let f=K(n.text,o,a.forward(s,t));
(f<a.from||f>a.to)&&(f=h),ya=n.text.slice(Math.min(o,f),Math.max(o,f));let c=l==(s?e.length-1:0)?null:e[l+(s?1:-1)];if(f==h){if(!c)return s?b.cursor(n.to,1):b.cursor(
n.from,-1);if(c.level+(s?0:1)<a.level)return b.cursor(c.side(!s,t)+n.from,c.forward(s,t)?1:-1,c.level)}return b.cursor(f+n.from,a.forward(s,t)?-1:1,a.level)}function Pc(n,e,t){
for(let i=e;i<t;i++){let s=ma(n.charCodeAt(i));if(s==1)return si;if(s==2||s==4)return Fr}}var ba=Q.define(),xa=Q.define(),Sa=Q.define(),ka=Q.define(),tr=Q.define(),
wa=Q.define(),va=Q.define(),_r=Q.define(),Hr=Q.define(),Ta=Q.define({combine:n=>n.some(e=>e)}),Ca=Q.define({combine:n=>n.some(e=>e)}),Qa=Q.define(),Pi=class n{constructor(e,t,i,s,r,o=!1){
this.range=e,this.y=t,this.x=i,this.yMargin=s,this.xMargin=r,this.isSnapshot=o}map(e){return e.empty?this:new n(this.range.map(e),this.y,this.x,this.yMargin,this.
xMargin,this.isSnapshot)}clip(e){return this.range.to<=e.doc.length?this:new n(b.cursor(e.doc.length),this.y,this.x,this.yMargin,this.xMargin,this.isSnapshot)}},
pn=I.define({map:(n,e)=>n.map(e)}),Pa=I.define();function Qe(n,e,t){let i=n.facet(ka);i.length?i[0](e):window.onerror&&window.onerror(String(e),t,void 0,void 0,
e)||(t?console.error(t+":",e):console.error(e))}var tt=Q.define({combine:n=>n.length?n[0]:!0}),Ac=0,Kt=Q.define({combine(n){return n.filter((e,t)=>{for(let i=0;i<
t;i++)if(n[i].plugin==e.plugin)return!1;return!0})}}),qe=class n{constructor(e,t,i,s,r){this.id=e,this.create=t,this.domEventHandlers=i,this.domEventObservers=s,
this.baseExtensions=r(this),this.extension=this.baseExtensions.concat(Kt.of({plugin:this,arg:void 0}))}of(e){return this.baseExtensions.concat(Kt.of({plugin:this,
arg:e}))}static define(e,t){let{eventHandlers:i,eventObservers:s,provide:r,decorations:o}=t||{};return new n(Ac++,e,i,s,l=>{let a=[];return o&&a.push(Nn.of(h=>{
let f=h.plugin(l);return f?o(f):W.none})),r&&a.push(r(l)),a})}static fromClass(e,t){return n.define((i,s)=>new e(i,s),t)}},Ai=class{constructor(e){this.spec=e,this.
mustUpdate=null,this.value=null}get plugin(){return this.spec&&this.spec.plugin}update(e){if(this.value){if(this.mustUpdate){let t=this.mustUpdate;if(this.mustUpdate=
null,this.value.update)try{this.value.update(t)}catch(i){if(Qe(t.state,i,"CodeMirror plugin crashed"),this.value.destroy)try{this.value.destroy()}catch{}this.deactivate()}}}else if(this.
spec)try{this.value=this.spec.plugin.create(e,this.spec.arg)}catch(t){Qe(e.state,t,"CodeMirror plugin crashed"),this.deactivate()}return this}destroy(e){var t;if(!((t=
this.value)===null||t===void 0)&&t.destroy)try{this.value.destroy()}catch(i){Qe(e.state,i,"CodeMirror plugin crashed")}}deactivate(){this.spec=this.value=null}},
Aa=Q.define(),Ur=Q.define(),Nn=Q.define(),Ra=Q.define(),jr=Q.define(),Li=Q.define(),Ma=Q.define();function El(n,e){let t=n.state.facet(Ma);if(!t.length)return t;
let i=t.map(r=>r instanceof Function?r(n):r),s=[];return z.spans(i,e.from,e.to,{point(){},span(r,o,l,a){let h=r-e.from,f=o-e.from,c=s;for(let u=l.length-1;u>=0;u--,
a--){let d=l[u].spec.bidiIsolate,p;if(a>0&&c.length&&(p=c[c.length-1]).to==h&&p.direction==d)p.to=f,c=p.inner;else{let m={from:h,to:f,direction:d,inner:[]};c.push(
m),c=m.inner}}}}),Ea(e.text,s)}function Ea(n,e){for(let t of e){if(t.direction==null){for(let i=t.from,s=0;i<t.to;s++){let r=s<t.inner.length?t.inner[s]:null,o=Pc(
n,i,r?r.from:t.to);if(o){t.direction=o;break}if(!r)break;i=r.to}t.direction==null&&(t.direction=N.LTR)}Ea(n,t.inner)}return e}var Da=Q.define();function Ba(n){let e=0,
t=0,i=0,s=0;for(let r of n.state.facet(Da)){let o=r(n);o&&(o.left!=null&&(e=Math.max(e,o.left)),o.right!=null&&(t=Math.max(t,o.right)),o.top!=null&&(i=Math.max(
i,o.top)),o.bottom!=null&&(s=Math.max(s,o.bottom)))}return{left:e,right:t,top:i,bottom:s}}var vi=Q.define(),De=class n{constructor(e,t,i,s){this.fromA=e,this.toA=
t,this.fromB=i,this.toB=s}join(e){return new n(Math.min(this.fromA,e.fromA),Math.max(this.toA,e.toA),Math.min(this.fromB,e.fromB),Math.max(this.toB,e.toB))}addToSet(e){
let t=e.length,i=this;for(;t>0;t--){let s=e[t-1];if(!(s.fromA>i.toA)){if(s.toA<i.fromA)break;i=i.join(s),e.splice(t-1,1)}}return e.splice(t,0,i),e}static extendWithRanges(e,t){
if(t.length==0)return e;let i=[];for(let s=0,r=0,o=0;;){let l=s<e.length?e[s].fromB:1e9,a=r<t.length?t[r]:1e9,h=Math.min(l,a);if(h==1e9)break;let f=h+o,c=h,u=f;
for(;;)if(r<t.length&&t[r]<=c){let d=t[r+1];r+=2,c=Math.max(c,d);for(let p=s;p<e.length&&e[p].fromB<=c;p++)o=e[p].toA-e[p].toB;u=Math.max(u,d+o)}else if(s<e.length&&
e[s].fromB<=c){let d=e[s++];c=Math.max(c,d.toB),u=Math.max(u,d.toA),o=d.toA-d.toB}else break;i.push(new n(f,u,h,c))}return i}},Rn=class n{constructor(e,t,i){this.
view=e,this.state=t,this.transactions=i,this.flags=0,this.startState=e.state,this.changes=ae.empty(this.startState.doc.length);for(let r of i)this.changes=this.
changes.compose(r.changes);let s=[];this.changes.iterChangedRanges((r,o,l,a)=>s.push(new De(r,o,l,a))),this.changedRanges=s}static create(e,t,i){return new n(e,
t,i)}get viewportChanged(){return(this.flags&4)>0}get viewportMoved(){return(this.flags&8)>0}get heightChanged(){return(this.flags&2)>0}get geometryChanged(){return this.
docChanged||(this.flags&18)>0}get focusChanged(){return(this.flags&1)>0}get docChanged(){return!this.changes.empty}get selectionSet(){return this.transactions.some(
e=>e.selection)}get empty(){return this.flags==0&&this.transactions.length==0}},Rc=[],j=class{constructor(e,t,i=0){this.dom=e,this.length=t,this.flags=i,this.parent=
null,e.cmTile=this}get breakAfter(){return this.flags&1}get children(){return Rc}isWidget(){return!1}get isHidden(){return!1}isComposite(){return!1}isLine(){return!1}isText(){
return!1}isBlock(){return!1}get domAttrs(){return null}sync(e){if(this.flags|=2,this.flags&4){this.flags&=-5;let t=this.domAttrs;t&&dc(this.dom,t)}}toString(){return this.
constructor.name+(this.children.length?`(${this.children})`:"")+(this.breakAfter?"#":"")}destroy(){this.parent=null}setDOM(e){this.dom=e,e.cmTile=this}get posAtStart(){
return this.parent?this.parent.posBefore(this):0}get posAtEnd(){return this.posAtStart+this.length}posBefore(e,t=this.posAtStart){let i=t;for(let s of this.children){
if(s==e)return i;i+=s.length+s.breakAfter}throw new RangeError("Invalid child in posBefore")}posAfter(e){return this.posBefore(e)+e.length}covers(e){return!0}coordsIn(e,t,i){
return null}domPosFor(e,t){let i=mt(this.dom),s=this.length?e>0:t>0;return new Fe(this.parent.dom,i+(s?1:0),e==0||e==this.length)}markDirty(e){this.flags&=-3,e&&
(this.flags|=4),this.parent&&this.parent.flags&2&&this.parent.markDirty(!1)}get overrideDOMText(){return null}get root(){for(let e=this;e;e=e.parent)if(e instanceof
oi)return e;return null}static get(e){return e.cmTile}},ri=class extends j{constructor(e){super(e,0),this._children=[]}isComposite(){return!0}get children(){return this.
_children}get lastChild(){return this.children.length?this.children[this.children.length-1]:null}append(e){this.children.push(e),e.parent=this}sync(e){if(this.flags&
2)return;super.sync(e);let t=this.dom,i=null,s,r=e?.node==t?e:null,o=0;for(let l of this.children){if(l.sync(e),o+=l.length+l.breakAfter,s=i?i.nextSibling:t.firstChild,
r&&s!=l.dom&&(r.written=!0),l.dom.parentNode==t)for(;s&&s!=l.dom;)s=Dl(s);else t.insertBefore(l.dom,s);i=l.dom}for(s=i?i.nextSibling:t.firstChild,r&&s&&(r.written=
!0);s;)s=Dl(s);this.length=o}};function Dl(n){let e=n.nextSibling;return n.parentNode.removeChild(n),e}var oi=class extends ri{constructor(e,t){super(t),this.view=
e}owns(e){for(;e;e=e.parent)if(e==this)return!0;return!1}isBlock(){return!0}nearest(e){for(;;){if(!e)return null;let t=j.get(e);if(t&&this.owns(t))return t;e=e.
parentNode}}blockTiles(e){for(let t=[],i=this,s=0,r=0;;)if(s==i.children.length){if(!t.length)return;i=i.parent,i.breakAfter&&r++,s=t.pop()}else{let o=i.children[s++];
if(o instanceof it)t.push(s),i=o,s=0;else{let l=r+o.length,a=e(o,r);if(a!==void 0)return a;r=l+o.breakAfter}}}resolveBlock(e,t){let i,s=-1,r,o=-1;if(this.blockTiles(
(l,a)=>{let h=a+l.length;if(e>=a&&e<=h){if(l.isWidget()&&t>=-1&&t<=1){if(l.flags&32)return!0;l.flags&16&&(i=void 0)}(a<e||e==h&&(t<-1?l.length:l.covers(1)))&&(!i||
!l.isWidget()&&i.isWidget())&&(i=l,s=e-a),(h>e||e==a&&(t>1?l.length:l.covers(-1)))&&(!r||!l.isWidget()&&r.isWidget())&&(r=l,o=e-a)}}),!i&&!r)throw new Error("No\
 tile at position "+e);return i&&t<0||!r?{tile:i,offset:s}:{tile:r,offset:o}}},it=class n extends ri{constructor(e,t){super(e),this.wrapper=t}isBlock(){return!0}covers(e){
return this.children.length?e<0?this.children[0].covers(-1):this.lastChild.covers(1):!1}get domAttrs(){return this.wrapper.attributes}static of(e,t){let i=new n(
t||document.createElement(e.tagName),e);return t||(i.flags|=4),i}},li=class n extends ri{constructor(e,t){super(e),this.attrs=t}isLine(){return!0}static start(e,t,i){
let s=new n(t||document.createElement("div"),e);return(!t||!i)&&(s.flags|=4),s}get domAttrs(){return this.attrs}resolveInline(e,t,i=!1){let s=null,r=-1,o=null,l=-1;
function a(f,c){for(let u=0,d=0;u<f.children.length&&d<=c;u++){let p=f.children[u],m=d+p.length;m>=c&&(p.isComposite()?a(p,c-d):(!o||i&&o.isHidden&&(t>0&&!(o.flags&
32)||i&&Ec(o,p)))&&(m>c||p.flags&32&&t<=1)?(o=p,l=c-d):(d<c||p.flags&16&&!(i&&p.isHidden)&&t>=-1)&&(s=p,r=c-d)),d=m}}a(this,e);let h=(t<0?s:o)||s||o;return h?{tile:h,
offset:h==s?r:l}:null}coordsIn(e,t,i){let s=this.resolveInline(e,t,!0);return s?s.tile.coordsIn(Math.max(0,s.offset),t,i):Mc(this)}domIn(e,t){let i=this.resolveInline(
e,t);if(i){let{tile:s,offset:r}=i;if(this.dom.contains(s.dom))return s.isText()?new Fe(s.dom,Math.min(s.dom.nodeValue.length,r)):s.domPosFor(r,s.flags&16?1:s.flags&
32?-1:t);let o=i.tile.parent,l=!1;for(let a of o.children){if(l)return new Fe(a.dom,0);a==i.tile&&(l=!0)}}return new Fe(this.dom,0)}};function Mc(n){let e=n.dom.
lastChild;if(!e)return n.dom.getBoundingClientRect();let t=Sn(e);return t[t.length-1]||null}function Ec(n,e){let t=n.coordsIn(0,1),i=e.coordsIn(0,1);return t&&i&&
i.top<t.bottom}var de=class n extends ri{constructor(e,t){super(e),this.mark=t}get domAttrs(){return this.mark.attrs}static of(e,t){let i=new n(t||document.createElement(
e.tagName),e);return t||(i.flags|=4),i}},At=class n extends j{constructor(e,t){super(e,t.length),this.text=t}sync(e){this.flags&2||(super.sync(e),this.dom.nodeValue!=
this.text&&(e&&e.node==this.dom&&(e.written=!0),this.dom.nodeValue=this.text))}isText(){return!0}toString(){return JSON.stringify(this.text)}coordsIn(e,t,i){let s=this.
dom.nodeValue.length;e>s&&(e=s);let r=e,o=e,l=0;e==0&&t<0||e==s&&t>=0?w.chrome||w.gecko||(e?(r--,l=1):o<s&&(o++,l=-1)):t<0?r--:o<s&&o++;let a=Wi(this.dom,r,o).getClientRects();
if(!a.length)return null;let h=a[(l?l<0:t>=0)?0:a.length-1];return w.safari&&!l&&h.width==0&&(h=Array.prototype.find.call(a,f=>f.width)||h),i==null?h:An(h,(l?l>
0:t<0)==i)}static of(e,t){let i=new n(t||document.createTextNode(e),e);return t||(i.flags|=2),i}},Et=class n extends j{constructor(e,t,i,s){super(e,t,s),this.widget=
i}isWidget(){return!0}get isHidden(){return this.widget.isHidden}covers(e){return this.flags&48?!1:(this.flags&(e<0?64:128))>0}coordsIn(e,t){return this.coordsInWidget(
e,t,!1)}coordsInWidget(e,t,i){let s=this.widget.coordsAt(this.dom,e,t);if(s)return s;if(i)return An(this.dom.getBoundingClientRect(),this.length?e==0:t<=0);{let r=this.
dom.getClientRects(),o=null;if(!r.length)return null;let l=this.flags&16?!0:this.flags&32?!1:e>0;for(let a=l?r.length-1:0;o=r[a],!(e>0?a==0:a==r.length-1||o.top<
o.bottom);a+=l?-1:1);return An(o,!l)}}get overrideDOMText(){if(!this.length)return D.empty;let{root:e}=this;if(!e)return D.empty;let t=this.posAtStart;return e.
view.state.doc.slice(t,t+this.length)}destroy(){super.destroy(),this.widget.destroy(this.dom)}static of(e,t,i,s,r){return r||(r=e.toDOM(t),e.editable||(r.contentEditable=
"false")),new n(r,i,e,s)}},ai=class extends j{constructor(e){let t=document.createElement("img");t.className="cm-widgetBuffer",t.setAttribute("aria-hidden","tru\
e"),super(t,0,e)}get isHidden(){return!0}get overrideDOMText(){return D.empty}coordsIn(e,t,i){let s=this.dom.getBoundingClientRect();return i==null?s:An(s,t>0==
i)}},ir=class{constructor(e){this.index=0,this.beforeBreak=!1,this.parents=[],this.tile=e}advance(e,t,i){let{tile:s,index:r,beforeBreak:o,parents:l}=this;for(;e||
t>0;)if(s.isComposite())if(o){if(!e)break;i&&i.break(),e--,o=!1}else if(r==s.children.length){if(!e&&!l.length)break;i&&i.leave(s),o=!!s.breakAfter,{tile:s,index:r}=
l.pop(),r++}else{let a=s.children[r],h=a.breakAfter;(t>0?a.length<=e:a.length<e)&&(!i||i.skip(a,0,a.length)!==!1||!a.isComposite)?(o=!!h,r++,e-=a.length):(l.push(
{tile:s,index:r}),s=a,r=0,i&&a.isComposite()&&i.enter(a))}else{let a=s.length;if(r<a&&e){let h=Math.min(e,a-r);i&&i.skip(s,r,r+h),e-=h,r+=h}if(r==a)o=!!s.breakAfter,
{tile:s,index:r}=l.pop(),r++;else if(!e)break}return this.tile=s,this.index=r,this.beforeBreak=o,this}get root(){return this.parents.length?this.parents[0].tile:
this.tile}},nr=class{constructor(e,t,i,s){this.from=e,this.to=t,this.wrapper=i,this.rank=s}},sr=class{constructor(e,t,i){this.cache=e,this.root=t,this.blockWrappers=
i,this.curLine=null,this.lastBlock=null,this.afterWidget=null,this.pos=0,this.wrappers=[],this.wrapperPos=0}addText(e,t,i,s){var r;this.flushBuffer();let o=this.
ensureMarks(t,i),l=o.lastChild;if(l&&l.isText()&&!(l.flags&8)&&l.length+e.length<512){this.cache.reused.set(l,2);let a=o.children[o.children.length-1]=new At(l.
dom,l.text+e);a.parent=o}else o.append(s||At.of(e,(r=this.cache.find(At))===null||r===void 0?void 0:r.dom));this.pos+=e.length,this.afterWidget=null}addComposition(e,t){
let i=this.curLine;i.dom!=t.line.dom&&(i.setDOM(this.cache.reused.has(t.line)?zs(t.line.dom):t.line.dom),this.cache.reused.set(t.line,2));let s=i;for(let l=t.marks.
length-1;l>=0;l--){let a=t.marks[l],h=s.lastChild;if(h instanceof de&&h.mark.eq(a.mark))h.dom!=a.dom&&h.setDOM(zs(a.dom)),s=h;else{let{dom:f}=a;this.cache.reused.
get(a)&&j.get(a.dom)&&(f=zs(a.dom));let c=de.of(a.mark,f);s.append(c),s=c}this.cache.reused.set(a,2)}let r=j.get(e.text);r&&this.cache.reused.set(r,2);let o=new At(
e.text,e.text.nodeValue);o.flags|=8,this.pos=e.range.toB,s.append(o)}addInlineWidget(e,t,i){let s=this.afterWidget&&e.flags&48&&(this.afterWidget.flags&48)==(e.
flags&48);s||this.flushBuffer();let r=this.ensureMarks(t,i);!s&&!(e.flags&16)&&r.append(this.getBuffer(1)),r.append(e),this.pos+=e.length,this.afterWidget=e}addMark(e,t,i){
this.flushBuffer(),this.ensureMarks(t,i).append(e),this.pos+=e.length,this.afterWidget=null}addBlockWidget(e){this.getBlockPos().append(e),this.pos+=e.length,this.
lastBlock=e,this.endLine()}continueWidget(e){let t=this.afterWidget||this.lastBlock;t.length+=e,this.pos+=e}addLineStart(e,t){var i;e||(e=qa);let s=li.start(e,t||
((i=this.cache.find(li))===null||i===void 0?void 0:i.dom),!!t);this.getBlockPos().append(this.lastBlock=this.curLine=s)}addLine(e){this.getBlockPos().append(e),
this.pos+=e.length,this.lastBlock=e,this.endLine()}addBreak(){this.lastBlock.flags|=1,this.endLine(),this.pos++}addLineStartIfNotCovered(e){this.blockPosCovered()||
this.addLineStart(e)}ensureLine(e){this.curLine||this.addLineStart(e)}ensureMarks(e,t){var i;let s=this.curLine;for(let r=e.length-1;r>=0;r--){let o=e[r],l;if(t>
0&&(l=s.lastChild)&&l instanceof de&&l.mark.eq(o))s=l,t--;else{let a=de.of(o,(i=this.cache.find(de,h=>h.mark.eq(o)))===null||i===void 0?void 0:i.dom);s.append(a),
s=a,t=0}}return s}endLine(){if(this.curLine){this.flushBuffer();let e=this.curLine.lastChild;(!e||!Bl(this.curLine,!1)||e.dom.nodeName!="BR"&&e.isWidget()&&!(w.
ios&&Bl(this.curLine,!0)))&&this.curLine.append(this.cache.findWidget(Is,0,32)||new Et(Is.toDOM(),0,Is,32)),this.curLine=this.afterWidget=null}}updateBlockWrappers(){
this.wrapperPos>this.pos+1e4&&(this.blockWrappers.goto(this.pos),this.wrappers.length=0);for(let e=this.wrappers.length-1;e>=0;e--)this.wrappers[e].to<this.pos&&
this.wrappers.splice(e,1);for(let e=this.blockWrappers;e.value&&e.from<=this.pos;e.next())if(e.to>=this.pos){let t=e.rank*102+e.value.rank,i=new nr(e.from,e.to,
e.value,t),s=this.wrappers.length;for(;s>0&&(this.wrappers[s-1].rank-i.rank||this.wrappers[s-1].to-i.to)<0;)s--;this.wrappers.splice(s,0,i)}this.wrapperPos=this.
pos}getBlockPos(){var e;this.updateBlockWrappers();let t=this.root;for(let i of this.wrappers){let s=t.lastChild;if(i.from<this.pos&&s instanceof it&&s.wrapper.
eq(i.wrapper))t=s;else{let r=it.of(i.wrapper,(e=this.cache.find(it,o=>o.wrapper.eq(i.wrapper)))===null||e===void 0?void 0:e.dom);t.append(r),t=r}}return t}blockPosCovered(){
let e=this.lastBlock;return e!=null&&!e.breakAfter&&(!e.isWidget()||(e.flags&160)>0)}getBuffer(e){let t=2|(e<0?16:32),i=this.cache.find(ai,void 0,1);return i&&(i.
flags=t),i||new ai(t)}flushBuffer(){this.afterWidget&&!(this.afterWidget.flags&32)&&(this.afterWidget.parent.append(this.getBuffer(-1)),this.afterWidget=null)}},
rr=class{constructor(e){this.skipCount=0,this.text="",this.textOff=0,this.cursor=e.iter()}skip(e){this.textOff+e<=this.text.length?this.textOff+=e:(this.skipCount+=
e-(this.text.length-this.textOff),this.text="",this.textOff=0)}next(e){if(this.textOff==this.text.length){let{value:s,lineBreak:r,done:o}=this.cursor.next(this.
skipCount);if(this.skipCount=0,o)throw new Error("Ran out of text content when drawing inline views");this.text=s;let l=this.textOff=Math.min(e,s.length);return r?
null:s.slice(0,l)}let t=Math.min(this.text.length,this.textOff+e),i=this.text.slice(this.textOff,t);return this.textOff=t,i}},Mn=[Et,li,At,de,ai,it,oi];for(let n=0;n<
Mn.length;n++)Mn[n].bucket=n;var or=class{constructor(e){this.view=e,this.buckets=Mn.map(()=>[]),this.index=Mn.map(()=>0),this.reused=new Map}add(e){let t=e.constructor.
bucket,i=this.buckets[t];i.length<6?i.push(e):i[this.index[t]=(this.index[t]+1)%6]=e}find(e,t,i=2){let s=e.bucket,r=this.buckets[s],o=this.index[s];for(let l=0;l<
r.length;l++){let a=(l+o)%r.length,h=r[a];if((!t||t(h))&&!this.reused.has(h))return r.splice(a,1),a<o&&this.index[s]--,this.reused.set(h,i),h}return null}findWidget(e,t,i){
let s=this.buckets[0];if(s.length)for(let r=0,o=0;;r++){if(r==s.length){if(o)return null;o=1,r=0}let l=s[r];if(!this.reused.has(l)&&(o==0?l.widget.compare(e):l.
widget.constructor==e.constructor&&e.updateDOM(l.dom,this.view,l.widget)))return s.splice(r,1),r<this.index[0]&&this.index[0]--,l.widget==e&&l.length==t&&(l.flags&
497)==i?(this.reused.set(l,1),l):(this.reused.set(l,2),new Et(l.dom,t,e,l.flags&-498|i))}}reuse(e){return this.reused.set(e,1),e}maybeReuse(e,t=2){if(!this.reused.
has(e))return this.reused.set(e,t),e.dom}clear(){for(let e=0;e<this.buckets.length;e++)this.buckets[e].length=this.index[e]=0}},lr=class{constructor(e,t,i,s,r){
this.view=e,this.decorations=s,this.disallowBlockEffectsFor=r,this.openWidget=!1,this.openMarks=0,this.cache=new or(e),this.text=new rr(e.state.doc),this.builder=
new sr(this.cache,new oi(e,e.contentDOM),z.iter(i)),this.cache.reused.set(t,2),this.old=new ir(t),this.reuseWalker={skip:(o,l,a)=>{if(this.cache.add(o),o.isComposite())
return!1},enter:o=>this.cache.add(o),leave:()=>{},break:()=>{}}}run(e,t){let i=t&&this.getCompositionContext(t.text);for(let s=0,r=0,o=0;;){let l=o<e.length?e[o++]:
null,a=l?l.fromA:this.old.root.length;if(a>s){let h=a-s;this.preserve(h,!o,!l),s=a,r+=h}if(!l)break;t&&l.fromA<=t.range.fromA&&l.toA>=t.range.toA?(this.forward(
l.fromA,t.range.fromA,t.range.fromA<t.range.toA?1:-1),this.emit(r,t.range.fromB),this.builder.flushBuffer(),this.cache.clear(),this.builder.addComposition(t,i),
this.text.skip(t.range.toB-t.range.fromB),this.forward(t.range.fromA,l.toA),this.emit(t.range.toB,l.toB)):(this.forward(l.fromA,l.toA),this.emit(r,l.toB)),r=l.toB,
s=l.toA}return this.builder.curLine&&this.builder.endLine(),this.builder.root}preserve(e,t,i){let s=qc(this.old),r=this.openMarks;this.old.advance(e,i?1:-1,{skip:(o,l,a)=>{
if(o.isWidget())if(this.openWidget)this.builder.continueWidget(a-l);else{let h=a>0||l<o.length?Et.of(o.widget,this.view,a-l,o.flags&496,this.cache.maybeReuse(o)):
this.cache.reuse(o);h.flags&256?(h.flags&=-2,this.builder.addBlockWidget(h)):(this.builder.ensureLine(null),this.builder.addInlineWidget(h,s,r),r=s.length)}else if(o.
isText())this.builder.ensureLine(null),!l&&a==o.length&&!this.cache.reused.has(o)?this.builder.addText(o.text,s,r,this.cache.reuse(o)):(this.cache.add(o),this.builder.
addText(o.text.slice(l,a),s,r)),r=s.length;else if(o.isLine())o.flags&=-2,this.cache.reused.set(o,1),this.builder.addLine(o);else if(o instanceof ai)this.cache.
add(o);else if(o instanceof de)this.builder.ensureLine(null),this.builder.addMark(o,s,r),this.cache.reused.set(o,1),r=s.length;else return!1;this.openWidget=!1},
enter:o=>{o.isLine()?this.builder.addLineStart(o.attrs,this.cache.maybeReuse(o)):(this.cache.add(o),o instanceof de&&s.unshift(o.mark)),this.openWidget=!1},leave:o=>{
o.isLine()?s.length&&(s.length=r=0):o instanceof de&&(s.shift(),r=Math.min(r,s.length))},break:()=>{this.builder.addBreak(),this.openWidget=!1}}),this.text.skip(
e)}emit(e,t){let i=null,s=this.builder,r=-1,o=z.spans(this.decorations,e,t,{point:(l,a,h,f,c,u)=>{if(h instanceof Mt){if(this.disallowBlockEffectsFor[u]){if(h.block)
throw new RangeError("Block decorations may not be specified via plugins");if(a>this.view.state.doc.lineAt(l).to)throw new RangeError("Decorations that replace \
line breaks may not be specified via plugins")}if(r=f.length,c>f.length)s.continueWidget(a-l);else{let d=h.widget||(h.block?gt.block:gt.inline),p=Dc(h),m=this.cache.
findWidget(d,a-l,p)||Et.of(d,this.view,a-l,p);h.block?(h.startSide>0&&s.addLineStartIfNotCovered(i),s.addBlockWidget(m)):(s.ensureLine(i),s.addInlineWidget(m,f,
c))}i=null}else i=Bc(i,h);a>l&&this.text.skip(a-l)},span:(l,a,h,f)=>{for(let c=l;c<a;){let u=this.text.next(Math.min(512,a-c));u==null?(s.addLineStartIfNotCovered(
i),s.addBreak(),c++):(s.ensureLine(i),s.addText(u,h,c==l?f:h.length),c+=u.length),i=null}r=h.length}});r>-1&&(this.openWidget=o>r),this.openWidget||s.addLineStartIfNotCovered(
i),this.openMarks=o}forward(e,t,i=1){t-e<=10?this.old.advance(t-e,i,this.reuseWalker):(this.old.advance(5,-1,this.reuseWalker),this.old.advance(t-e-10,-1),this.
old.advance(5,i,this.reuseWalker))}getCompositionContext(e){let t=[],i=null;for(let s=e.parentNode;;s=s.parentNode){let r=j.get(s);if(s==this.view.contentDOM)break;
r instanceof de?t.push(r):r?.isLine()?i=r:r instanceof it||(s.nodeName=="DIV"&&!i?i=new li(s,qa):i||t.push(de.of(new Bi({tagName:s.nodeName.toLowerCase(),attributes:pc(
s)}),s)))}return i?{line:i,marks:t}:null}};function Bl(n,e){let t=i=>{for(let s of i.children)if((e?s.isText():s.length)||t(s))return!0;return!1};return t(n)}function Dc(n){
let e=n.isReplace?(n.startSide<0?64:0)|(n.endSide>0?128:0):n.startSide>0?32:16;return n.block&&(e|=256),e}var qa={class:"cm-line"};function Bc(n,e){let t=e.spec.
attributes,i=e.spec.class;return!t&&!i||(n||(n={class:"cm-line"}),t&&Vr(t,n),i&&(n.class+=" "+i)),n}function qc(n){let e=[];for(let t=n.parents.length;t>1;t--){
let i=t==n.parents.length?n.tile:n.parents[t].tile;i instanceof de&&e.push(i.mark)}return e}function zs(n){let e=j.get(n);return e&&e.setDOM(n.cloneNode()),n}var gt=class extends Be{constructor(e){
super(),this.tag=e}eq(e){return e.tag==this.tag}toDOM(){return document.createElement(this.tag)}updateDOM(e){return e.nodeName.toLowerCase()==this.tag}get isHidden(){
return!0}};gt.inline=new gt("span");gt.block=new gt("div");var Is=new class extends Be{toDOM(){return document.createElement("br")}get isHidden(){return!0}get editable(){
return!0}},En=class{constructor(e){this.view=e,this.decorations=[],this.blockWrappers=[],this.dynamicDecorationMap=[!1],this.domChanged=null,this.hasComposition=
null,this.editContextFormatting=W.none,this.lastCompositionAfterCursor=!1,this.minWidth=0,this.minWidthFrom=0,this.minWidthTo=0,this.impreciseAnchor=null,this.impreciseHead=
null,this.forceSelection=!1,this.lastUpdate=Date.now(),this.updateDeco(),this.tile=new oi(e,e.contentDOM),this.updateInner([new De(0,0,0,e.state.doc.length)],null)}update(e){
var t;let i=e.changedRanges;this.minWidth>0&&i.length&&(i.every(({fromA:f,toA:c})=>c<this.minWidthFrom||f>this.minWidthTo)?(this.minWidthFrom=e.changes.mapPos(this.
minWidthFrom,1),this.minWidthTo=e.changes.mapPos(this.minWidthTo,1)):this.minWidth=this.minWidthFrom=this.minWidthTo=0),this.updateEditContextFormatting(e);let s=-1;
this.view.inputState.composing>=0&&!this.view.observer.editContext&&(!((t=this.domChanged)===null||t===void 0)&&t.newSel?s=this.domChanged.newSel.head:!Xc(e.changes,
this.hasComposition)&&!e.selectionSet&&(s=e.state.selection.main.head));let r=s>-1?Wc(this.view,e.changes,s):null;if(this.domChanged=null,this.hasComposition){let{
from:f,to:c}=this.hasComposition;i=new De(f,c,e.changes.mapPos(f,-1),e.changes.mapPos(c,1)).addToSet(i.slice())}this.hasComposition=r?{from:r.range.fromB,to:r.range.
toB}:null,(w.ie||w.chrome)&&!r&&e&&e.state.doc.lines!=e.startState.doc.lines&&(this.forceSelection=!0);let o=this.decorations,l=this.blockWrappers;this.updateDeco();
let a=Ic(o,this.decorations,e.changes);a.length&&(i=De.extendWithRanges(i,a));let h=Nc(l,this.blockWrappers,e.changes);return h.length&&(i=De.extendWithRanges(i,
h)),r&&!i.some(f=>f.fromA<=r.range.fromA&&f.toA>=r.range.toA)&&(i=r.range.addToSet(i.slice())),this.tile.flags&2&&i.length==0?!1:(this.updateInner(i,r),e.transactions.
length&&(this.lastUpdate=Date.now()),!0)}updateInner(e,t){this.view.viewState.mustMeasureContent=!0;let{observer:i}=this.view;i.ignore(()=>{if(t||e.length){let o=this.
tile,l=new lr(this.view,o,this.blockWrappers,this.decorations,this.dynamicDecorationMap);t&&j.get(t.text)&&l.cache.reused.set(j.get(t.text),2),this.tile=l.run(e,
t),ar(o,l.cache.reused)}this.tile.dom.style.height=this.view.viewState.contentHeight/this.view.scaleY+"px",this.tile.dom.style.flexBasis=this.minWidth?this.minWidth+
"px":"";let r=w.chrome||w.ios?{node:i.selectionRange.focusNode,written:!1}:void 0;this.tile.sync(r),r&&(r.written||i.selectionRange.focusNode!=r.node||!this.tile.
dom.contains(r.node))&&(this.forceSelection=!0),this.tile.dom.style.height=""});let s=[];if(this.view.viewport.from||this.view.viewport.to<this.view.state.doc.length)
for(let r of this.tile.children)r.isWidget()&&r.widget instanceof Ri&&s.push(r.dom);i.updateGaps(s)}updateEditContextFormatting(e){this.editContextFormatting=this.
editContextFormatting.map(e.changes);for(let t of e.transactions)for(let i of t.effects)i.is(Pa)&&(this.editContextFormatting=i.value)}updateSelection(e=!1,t=!1){
(e||!this.view.observer.selectionRange.focusNode)&&this.view.observer.readSelectionRange();let{dom:i}=this.tile,s=this.view.root.activeElement,r=s==i,o=!r&&!(this.
view.state.facet(tt)||i.tabIndex>-1)&&Ci(i,this.view.observer.selectionRange)&&!(s&&i.contains(s));if(!(r||t||o))return;let l=this.forceSelection;this.forceSelection=
!1;let a=this.view.state.selection.main,h,f;if(a.empty?f=h=this.inlineDOMNearPos(a.anchor,a.assoc||1):(f=this.inlineDOMNearPos(a.head,a.head==a.from?1:-1),h=this.
inlineDOMNearPos(a.anchor,a.anchor==a.from?1:-1)),w.gecko&&a.empty&&!this.hasComposition&&$c(h)){let u=document.createTextNode("");this.view.observer.ignore(()=>h.
node.insertBefore(u,h.node.childNodes[h.offset]||null)),h=f=new Fe(u,0),l=!0}let c=this.view.observer.selectionRange;(l||!c.focusNode||(!Qi(h.node,h.offset,c.anchorNode,
c.anchorOffset)||!Qi(f.node,f.offset,c.focusNode,c.focusOffset))&&!this.suppressWidgetCursorChange(c,a))&&(this.view.observer.ignore(()=>{w.android&&w.chrome&&i.
contains(c.focusNode)&&Vc(c.focusNode,i)&&(i.blur(),i.focus({preventScroll:!0}));let u=$i(this.view.root);if(u)if(a.empty){if(w.gecko){let d=Lc(h.node,h.offset);
if(d&&d!=3){let p=(d==1?ua:da)(h.node,h.offset);p&&(h=new Fe(p.node,p.offset))}}u.collapse(h.node,h.offset),a.bidiLevel!=null&&u.caretBidiLevel!==void 0&&(u.caretBidiLevel=
a.bidiLevel)}else if(u.extend){u.collapse(h.node,h.offset);try{u.extend(f.node,f.offset)}catch{}}else{let d=document.createRange();a.anchor>a.head&&([h,f]=[f,h]),
d.setEnd(f.node,f.offset),d.setStart(h.node,h.offset),u.removeAllRanges(),u.addRange(d)}o&&this.view.root.activeElement==i&&(i.blur(),s&&s.focus())}),this.view.
observer.setSelectionRange(h,f)),this.impreciseAnchor=h.precise?null:new Fe(c.anchorNode,c.anchorOffset),this.impreciseHead=f.precise?null:new Fe(c.focusNode,c.
focusOffset)}suppressWidgetCursorChange(e,t){return this.hasComposition&&t.empty&&Qi(e.focusNode,e.focusOffset,e.anchorNode,e.anchorOffset)&&this.posFromDOM(e.focusNode,
e.focusOffset)==t.head}enforceCursorAssoc(){if(this.hasComposition)return;let{view:e}=this,t=e.state.selection.main,i=$i(e.root),{anchorNode:s,anchorOffset:r}=e.
observer.selectionRange;if(!i||!t.empty||!t.assoc||!i.modify)return;let o=this.lineAt(t.head,t.assoc);if(!o)return;let l=o.posAtStart;if(t.head==l||t.head==l+o.
length)return;let a=this.coordsAt(t.head,-1),h=this.coordsAt(t.head,1);if(!a||!h||a.bottom>h.top)return;let f=this.domAtPos(t.head+t.assoc,t.assoc);i.collapse(f.
node,f.offset),i.modify("move",t.assoc<0?"forward":"backward","lineboundary"),e.observer.readSelectionRange();let c=e.observer.selectionRange;e.docView.posFromDOM(
c.anchorNode,c.anchorOffset)!=t.from&&i.collapse(s,r)}posFromDOM(e,t){let i=this.tile.nearest(e);if(!i)return this.tile.dom.compareDocumentPosition(e)&2?0:this.
view.state.doc.length;let s=i.posAtStart;if(i.isComposite()){let r;if(e==i.dom)r=i.dom.childNodes[t];else{let o=nt(e)==0?0:t==0?-1:1;for(;;){let l=e.parentNode;
if(l==i.dom)break;o==0&&l.firstChild!=l.lastChild&&(e==l.firstChild?o=-1:o=1),e=l}o<0?r=e:r=e.nextSibling}if(r==i.dom.firstChild)return s;for(;r&&!j.get(r);)r=r.
nextSibling;if(!r)return s+i.length;for(let o=0,l=s;;o++){let a=i.children[o];if(a.dom==r)return l;l+=a.length+a.breakAfter}}else return i.isText()?e==i.dom?s+t:
s+(t?i.length:0):s}domAtPos(e,t){let{tile:i,offset:s}=this.tile.resolveBlock(e,t);return i.isWidget()?i.domPosFor(s,t):i.domIn(s,t)}inlineDOMNearPos(e,t){let i,
s=-1,r=!1,o,l=-1,a=!1;return this.tile.blockTiles((h,f)=>{if(h.isWidget()){if(h.flags&32&&f>=e)return!0;h.flags&16&&(r=!0)}else{let c=f+h.length;if(f<=e&&(i=h,s=
e-f,r=c<e),c>=e&&!o&&(o=h,l=e-f,a=f>e),f>e&&o)return!0}}),!i&&!o?this.domAtPos(e,t):(r&&o?i=null:a&&i&&(o=null),i&&t<0||!o?i.domIn(s,t):o.domIn(l,t))}coordsAt(e,t,i){
let{tile:s,offset:r}=this.tile.resolveBlock(e,t);return s.isWidget()?s.widget instanceof Ri?null:s.coordsInWidget(r,t,!0):s.coordsIn(r,t,i)}lineAt(e,t){let{tile:i}=this.
tile.resolveBlock(e,t);return i.isLine()?i:null}coordsForChar(e){let{tile:t,offset:i}=this.tile.resolveBlock(e,1);if(!t.isLine())return null;function s(r,o){if(r.
isComposite())for(let l of r.children){if(l.length>=o){let a=s(l,o);if(a)return a}if(o-=l.length,o<0)break}else if(r.isText()&&o<r.length){let l=K(r.text,o);if(l==
o)return null;let a=Wi(r.dom,o,l).getClientRects();for(let h=0;h<a.length;h++){let f=a[h];if(h==a.length-1||f.top<f.bottom&&f.left<f.right)return f}}return null}
return s(t,i)}measureVisibleLineHeights(e){let t=[],{from:i,to:s}=e,r=this.view.contentDOM.clientWidth,o=r>Math.max(this.view.scrollDOM.clientWidth,this.minWidth)+
1,l=-1,a=this.view.textDirection==N.LTR,h=0,f=(c,u,d)=>{for(let p=0;p<c.children.length&&!(u>s);p++){let m=c.children[p],g=u+m.length,y=m.dom.getBoundingClientRect(),
{height:C}=y;if(d&&!p&&(h+=y.top-d.top),m instanceof it)g>i&&f(m,u,y);else if(u>=i&&(h>0&&t.push(-h),t.push(C+h),h=0,o)){let k=m.dom.lastChild,R=k?Sn(k):[];if(R.
length){let x=R[R.length-1],v=a?x.right-y.left:y.right-x.left;v>l&&(l=v,this.minWidth=r,this.minWidthFrom=u,this.minWidthTo=g)}}d&&p==c.children.length-1&&(h+=d.
bottom-y.bottom),u=g+m.breakAfter}};return f(this.tile,0,null),t}textDirectionAt(e){let{tile:t}=this.tile.resolveBlock(e,1);return getComputedStyle(t.dom).direction==
"rtl"?N.RTL:N.LTR}measureTextSize(){let e=this.tile.blockTiles(o=>{if(o.isLine()&&o.children.length&&o.length<=20){let l=0,a;for(let h of o.children){if(!h.isText()||
/[^ -~]/.test(h.text))return;let f=Sn(h.dom);if(f.length!=1)return;l+=f[0].width,a=f[0].height}if(l)return{lineHeight:o.dom.getBoundingClientRect().height,charWidth:l/
o.length,textHeight:a}}});if(e)return e;let t=document.createElement("div"),i,s,r;return t.className="cm-line",t.style.width="99999px",t.style.position="absolut\
e",t.textContent="abc def ghi jkl mno pqr stu",this.view.observer.ignore(()=>{this.tile.dom.appendChild(t);let o=Sn(t.firstChild)[0];i=t.getBoundingClientRect().
height,s=o&&o.width?o.width/27:7,r=o&&o.height?o.height:i,t.remove()}),{lineHeight:i,charWidth:s,textHeight:r}}computeBlockGapDeco(){let e=[],t=this.view.viewState;
for(let i=0,s=0;;s++){let r=s==t.viewports.length?null:t.viewports[s],o=r?r.from-1:this.view.state.doc.length;if(o>i){let l=(t.lineBlockAt(o).bottom-t.lineBlockAt(
i).top)/this.view.scaleY;e.push(W.replace({widget:new Ri(l),block:!0,inclusive:!0,isBlockGap:!0}).range(i,o))}if(!r)break;i=r.to+1}return W.set(e)}updateDeco(){
let e=1,t=this.view.state.facet(Nn).map(r=>(this.dynamicDecorationMap[e++]=typeof r=="function")?r(this.view):r),i=!1,s=this.view.state.facet(jr).map((r,o)=>{let l=typeof r==
"function";return l&&(i=!0),l?r(this.view):r});for(s.length&&(this.dynamicDecorationMap[e++]=i,t.push(z.join(s))),this.decorations=[this.editContextFormatting,...t,
this.computeBlockGapDeco(),this.view.viewState.lineGapDeco];e<this.decorations.length;)this.dynamicDecorationMap[e++]=!1;this.blockWrappers=this.view.state.facet(
Ra).map(r=>typeof r=="function"?r(this.view):r)}scrollIntoView(e){if(e.isSnapshot){let h=this.view.viewState.lineBlockAt(e.range.head);this.view.scrollDOM.scrollTop=
h.top-e.yMargin,this.view.scrollDOM.scrollLeft=e.xMargin;return}for(let h of this.view.state.facet(Qa))try{if(h(this.view,e.range,e))return!0}catch(f){Qe(this.view.
state,f,"scroll handler")}let{range:t}=e,i=this.coordsAt(t.head,t.assoc||(t.head>t.anchor?-1:1)),s;if(!i)return;!t.empty&&(s=this.coordsAt(t.anchor,t.anchor>t.head?
-1:1))&&(i={left:Math.min(i.left,s.left),top:Math.min(i.top,s.top),right:Math.max(i.right,s.right),bottom:Math.max(i.bottom,s.bottom)});let r=Ba(this.view),o={left:i.
left-r.left,top:i.top-r.top,right:i.right+r.right,bottom:i.bottom+r.bottom},{offsetWidth:l,offsetHeight:a}=this.view.scrollDOM;if(Oc(this.view.scrollDOM,o,t.head<
t.anchor?-1:1,e.x,e.y,Math.max(Math.min(e.xMargin,l),-l),Math.max(Math.min(e.yMargin,a),-a),this.view.textDirection==N.LTR),window.visualViewport&&window.innerHeight-
window.visualViewport.height>1&&(i.top>window.visualViewport.offsetTop+window.visualViewport.height||i.bottom<window.visualViewport.offsetTop)){let h=this.view.
docView.lineAt(t.head,1);if(h){let f=aa(h.dom);h.dom.scrollIntoView({block:"nearest"}),ha(f,!1)}}}lineHasWidget(e){let t=i=>i.isWidget()||i.children.some(t);return t(
this.tile.resolveBlock(e,1).tile)}destroy(){ar(this.tile)}};function ar(n,e){let t=e?.get(n);if(t!=1){t==null&&n.destroy();for(let i of n.children)ar(i,e)}}function $c(n){
return J(n.node)&&n.node.firstChild&&(n.offset==0||n.node.childNodes[n.offset-1].contentEditable=="false")&&(n.offset==n.node.childNodes.length||n.node.childNodes[n.
offset].contentEditable=="false")}function $a(n,e){let t=n.observer.selectionRange;if(!t.focusNode)return null;let i=ua(t.focusNode,t.focusOffset),s=da(t.focusNode,
t.focusOffset),r=i||s;if(s&&i&&s.node!=i.node){let l=j.get(s.node);if(!l||l.isText()&&l.text!=s.node.nodeValue)r=s;else if(n.docView.lastCompositionAfterCursor){
let a=j.get(i.node);!a||a.isText()&&a.text!=i.node.nodeValue||(r=s)}}if(n.docView.lastCompositionAfterCursor=r!=i,!r)return null;let o=e-r.offset;return{from:o,
to:o+r.node.nodeValue.length,node:r.node}}function Wc(n,e,t){let i=$a(n,t);if(!i)return null;let{node:s,from:r,to:o}=i,l=s.nodeValue;if(/[\n\r]/.test(l)||n.state.
doc.sliceString(i.from,i.to)!=l)return null;let a=e.invertedDesc;return{range:new De(a.mapPos(r),a.mapPos(o),r,o),text:s}}function Lc(n,e){return J(n)?(e&&n.childNodes[e-
1].contentEditable=="false"?1:0)|(e<n.childNodes.length&&n.childNodes[e].contentEditable=="false"?2:0):0}var zc=class{constructor(){this.changes=[]}compareRange(e,t){
ti(e,t,this.changes)}comparePoint(e,t){ti(e,t,this.changes)}boundChange(e){ti(e,e,this.changes)}};function Ic(n,e,t){let i=new zc;return z.compare(n,e,t,i),i.changes}
var hr=class{constructor(){this.changes=[]}compareRange(e,t){ti(e,t,this.changes)}comparePoint(){}boundChange(e){ti(e,e,this.changes)}};function Nc(n,e,t){let i=new hr;
return z.compare(n,e,t,i),i.changes}function Vc(n,e){for(let t=n;t&&t!=e;t=t.assignedSlot||t.parentNode)if(J(t)&&t.contentEditable=="false")return!0;return!1}function Xc(n,e){
let t=!1;return e&&n.iterChangedRanges((i,s)=>{i<e.to&&s>e.from&&(t=!0)}),t}var Ri=class extends Be{constructor(e){super(),this.height=e}toDOM(){let e=document.
createElement("div");return e.className="cm-gap",this.updateDOM(e),e}eq(e){return e.height==this.height}updateDOM(e){return e.style.height=this.height+"px",!0}get editable(){
return!0}get estimatedHeight(){return this.height}ignoreEvent(){return!1}};function Fc(n,e,t=1){let i=n.charCategorizer(e),s=n.doc.lineAt(e),r=e-s.from;if(s.length==
0)return b.cursor(e);r==0?t=1:r==s.length&&(t=-1);let o=r,l=r;t<0?o=K(s.text,r,!1):l=K(s.text,r);let a=i(s.text.slice(o,l));for(;o>0;){let h=K(s.text,o,!1);if(i(
s.text.slice(h,o))!=a)break;o=h}for(;l<s.length;){let h=K(s.text,l);if(i(s.text.slice(l,h))!=a)break;l=h}return b.undirectionalRange(o+s.from,l+s.from)}function _c(n,e,t,i,s){
let r=Math.round((i-e.left)*n.defaultCharacterWidth);if(n.lineWrapping&&t.height>n.defaultLineHeight*1.5){let l=n.viewState.heightOracle.textHeight,a=Math.floor(
(s-t.top-(n.defaultLineHeight-l)*.5)/l);r+=a*n.viewState.heightOracle.lineLength}let o=n.state.sliceDoc(t.from,t.to);return t.from+Sl(o,r,n.state.tabSize)}function fr(n,e,t){
let i=n.lineBlockAt(e);if(Array.isArray(i.type)){let s;for(let r of i.type){if(r.from>e)break;if(!(r.to<e)){if(r.from<e&&r.to>e)return r;(!s||r.type==ie.Text&&(s.
type!=r.type||(t<0?r.from<e:r.to>e)))&&(s=r)}}return s||i}return i}function Hc(n,e,t,i){let s=fr(n,e.head,e.assoc||-1),r=!i||s.type!=ie.Text||!(n.lineWrapping||
s.widgetLineBreaks)?null:n.coordsAtPos(e.assoc<0&&e.head>s.from?e.head-1:e.head);if(r){let o=n.dom.getBoundingClientRect(),l=n.textDirectionAt(s.from),a=n.posAndSideAtCoords(
{x:t==(l==N.LTR)?o.right-1:o.left+1,y:(r.top+r.bottom)/2});if(a)return b.cursor(a.pos,a.assoc)}return b.cursor(t?s.to:s.from,t?1:-1)}function ql(n,e,t,i){let s=n.
state.doc.lineAt(e.head),r=n.bidiSpans(s),o=n.textDirectionAt(s.from);for(let l=e,a=null;;){let h=Qc(s,r,o,l,t),f=ya;if(!h){if(s.number==(t?n.state.doc.lines:1))
return l;f=`
`,s=n.state.doc.line(s.number+(t?1:-1)),r=n.bidiSpans(s),h=t?b.cursor(s.from,-1):b.cursor(s.to,1)}if(a){if(!a(f))return l}else{if(!i)return h;a=i(f)}l=h}}function Uc(n,e,t){
let i=n.state.charCategorizer(e),s=i(t);return r=>{let o=i(r);return s==Se.Space&&(s=o),s==o}}function jc(n,e,t,i){let s=e.head,r=t?1:-1;if(s==(t?n.state.doc.length:
0))return b.cursor(s,e.assoc);let o=e.goalColumn,l,a=n.contentDOM.getBoundingClientRect(),h=n.coordsAtPos(s,e.assoc||((e.empty?t:e.head==e.from)?1:-1)),f=n.documentTop;
if(h)o==null&&(o=h.left-a.left),l=r<0?h.top:h.bottom;else{let p=n.viewState.lineBlockAt(s);o==null&&(o=Math.min(a.right-a.left,n.defaultCharacterWidth*(s-p.from))),
l=(r<0?p.top:p.bottom)+f}let c=a.left+o,u=n.viewState.heightOracle.textHeight>>1,d=i??u;for(let p=0;;p+=u){let m=l+(d+p)*r,g=cr(n,{x:c,y:m},!1,r);if(t?m>a.bottom:
m<a.top)return b.cursor(g.pos,g.assoc);let y=n.coordsAtPos(g.pos,g.assoc),C=y?(y.top+y.bottom)/2:0;if(!y||(t?C>l:C<l))return b.cursor(g.pos,g.assoc,void 0,o)}}function Mi(n,e,t){
for(;;){let i=0;for(let s of n)s.between(e-1,e+1,(r,o,l)=>{if(e>r&&e<o){let a=i||t||(e-r<o-e?-1:1);e=a<0?r:o,i=a}});if(!i)return e}}function Wa(n,e){let t=null;
for(let i=0;i<e.ranges.length;i++){let s=e.ranges[i],r=null;if(s.empty){let o=Mi(n,s.from,0);o!=s.from&&(r=b.cursor(o,-1))}else{let o=Mi(n,s.from,-1),l=Mi(n,s.to,
1);(o!=s.from||l!=s.to)&&(s.undirectional?r=b.undirectionalRange(s.from,s.to):r=b.range(s.from==s.anchor?o:l,s.from==s.head?o:l))}r&&(t||(t=e.ranges.slice()),t[i]=
r)}return t?b.create(t,e.mainIndex):e}function Ns(n,e,t){let i=Mi(n.state.facet(Li).map(s=>s(n)),t.from,e.head>t.from?-1:1);return i==t.from?t:b.cursor(i,i<t.from?
1:-1)}var Te=class{constructor(e,t){this.pos=e,this.assoc=t}};function cr(n,e,t,i){let s=n.contentDOM.getBoundingClientRect(),r=s.top+n.viewState.paddingTop,{x:o,
y:l}=e,a=l-r,h;for(;;){if(a<0)return new Te(0,1);if(a>n.viewState.docHeight)return new Te(n.state.doc.length,-1);if(h=n.elementAtHeight(a),i==null)break;if(h.type==
ie.Text){if(i<0?h.to<n.viewport.from:h.from>n.viewport.to)break;let u=n.docView.coordsAt(i<0?h.from:h.to,i>0?-1:1);if(u&&(i<0?u.top<=a+r:u.bottom>=a+r))break}let c=n.
viewState.heightOracle.textHeight/2;a=i>0?h.bottom+c:h.top-c}if(n.viewport.from>=h.to||n.viewport.to<=h.from){if(t)return null;if(h.type==ie.Text){let c=_c(n,s,
h,o,l);return new Te(c,c==h.from?1:-1)}}if(h.type!=ie.Text)return a<(h.top+h.bottom)/2?new Te(h.from,1):new Te(h.to,-1);let f=n.docView.lineAt(h.from,2);return(!f||
f.length!=h.length)&&(f=n.docView.lineAt(h.from,-2)),new ur(n,o,l,n.textDirectionAt(h.from)).scanTile(f,h.from)}var ur=class{constructor(e,t,i,s){this.view=e,this.
x=t,this.y=i,this.baseDir=s,this.line=null,this.spans=null}bidiSpansAt(e){return(!this.line||this.line.from>e||this.line.to<e)&&(this.line=this.view.state.doc.lineAt(
e),this.spans=this.view.bidiSpans(this.line)),this}baseDirAt(e,t){let{line:i,spans:s}=this.bidiSpansAt(e);return s[Ce.find(s,e-i.from,-1,t)].level==this.baseDir}dirAt(e,t){
let{line:i,spans:s}=this.bidiSpansAt(e);return s[Ce.find(s,e-i.from,-1,t)].dir}bidiIn(e,t){let{spans:i,line:s}=this.bidiSpansAt(e);return i.length>1||i.length&&
(i[0].level!=this.baseDir||i[0].to+s.from<t)}scan(e,t,i=!1){let s=0,r=e.length-1,o=new Set,l=this.bidiIn(e[0],e[r]),a,h,f=-1,c=1e9,u;e:for(;s<r;){let p=r-s,m=s+
r>>1;t:if(o.has(m)){for(let C=1;C<p;C++){let k=m+C;if(k>=r&&(k-=p),!o.has(k)){m=k;break t}}break e}o.add(m);let g=t(m),y=0;if(g)for(let C=0;C<g.length;C++){let k=g[C];
if(!(k.width==0&&g.length>1))if(k.bottom<this.y)(!a||a.bottom<k.bottom)&&(a=k),y=1;else if(k.top>this.y)(!h||h.top>k.top)&&(h=k),y=-1;else{let R=k.left>this.x?this.
x-k.left:k.right<this.x?this.x-k.right:0,x=Math.abs(R);x<c&&(f=m,c=x,u=k),R&&(y=R<0==(this.baseDir==N.LTR)?-1:1)}}y==-1&&(!l||this.baseDirAt(e[m],1))?r=m:y==1&&
(!l||this.baseDirAt(e[m+1],-1))&&(s=m+1)}if(!u){if(!h&&!a)return{i:0,after:!1};let p=a&&(!h||this.y-a.bottom<h.top-this.y)?a:h;return this.y=(p.top+p.bottom)/2,
this.scan(e,t,!0)}if(c&&!i){let{top:p,bottom:m}=u;if(a&&a.bottom>(p+p+m)/3)return this.y=a.bottom-1,this.scan(e,t,!0);if(h&&h.top<(p+m+m)/3)return this.y=h.top+
1,this.scan(e,t,!0)}let d=(l?this.dirAt(e[f],1):this.baseDir)==N.LTR;return{i:f,after:this.x>(u.left+u.right)/2==d}}scanText(e,t){let i=[];for(let r=0;r<e.length;r=
K(e.text,r))i.push(t+r);i.push(t+e.length);let s=this.scan(i,r=>{let o=i[r]-t,l=i[r+1]-t;return Wi(e.dom,o,l).getClientRects()});return s.after?new Te(i[s.i+1],
-1):new Te(i[s.i],1)}scanTile(e,t){if(!e.length)return new Te(t,1);if(e.children.length==1){let l=e.children[0];if(l.isText())return this.scanText(l,t);if(l.isComposite())
return this.scanTile(l,t)}let i=[t];for(let l=0,a=t;l<e.children.length;l++)i.push(a+=e.children[l].length);let s=this.scan(i,l=>{let a=e.children[l];return a.flags&
48?null:(J(a.dom)?a.dom:Wi(a.dom,0,a.length)).getClientRects()}),r=e.children[s.i],o=i[s.i];return r.isText()?this.scanText(r,o):r.isComposite()?this.scanTile(r,
o):s.after?new Te(i[s.i+1],-1):new Te(o,1)}},Yt="\uFFFF",dr=class{constructor(e,t){this.points=e,this.view=t,this.text="",this.lineSeparator=t.state.facet(X.lineSeparator)}append(e){
this.text+=e}lineBreak(){this.text+=Yt}readRange(e,t){if(!e)return this;let i=e.parentNode;for(let s=e;;){this.findPointBefore(i,s);let r=this.text.length;this.
readNode(s);let o=j.get(s),l=s.nextSibling;if(l==t){o?.breakAfter&&!l&&i!=this.view.contentDOM&&this.lineBreak();break}let a=j.get(l);(o&&a?o.breakAfter:(o?o.breakAfter:
Pn(s))||Pn(l)&&(s.nodeName!="BR"||o?.isWidget())&&this.text.length>r)&&!Zc(l,t)&&this.lineBreak(),s=l}return this.findPointBefore(i,t),this}readTextNode(e){let t=e.
nodeValue;for(let i of this.points)i.node==e&&(i.pos=this.text.length+Math.min(i.offset,t.length));for(let i=0,s=this.lineSeparator?null:/\r\n?|\n/g;;){let r=-1,
o=1,l;if(this.lineSeparator?(r=t.indexOf(this.lineSeparator,i),o=this.lineSeparator.length):(l=s.exec(t))&&(r=l.index,o=l[0].length),this.append(t.slice(i,r<0?t.
length:r)),r<0)break;if(this.lineBreak(),o>1)for(let a of this.points)a.node==e&&a.pos>this.text.length&&(a.pos-=o-1);i=r+o}}readNode(e){let t=j.get(e),i=t&&t.overrideDOMText;
if(i!=null){this.findPointInside(e,i.length);for(let s=i.iter();!s.next().done;)s.lineBreak?this.lineBreak():this.append(s.value)}else ni(e)?this.readTextNode(e):
e.nodeName=="BR"?e.nextSibling&&this.lineBreak():J(e)&&this.readRange(e.firstChild,null)}findPointBefore(e,t){for(let i of this.points)i.node==e&&e.childNodes[i.
offset]==t&&(i.pos=this.text.length)}findPointInside(e,t){for(let i of this.points)(ni(e)?i.node==e:e.contains(i.node))&&(i.pos=this.text.length+(Gc(e,i.node,i.
offset)?t:0))}};function Gc(n,e,t){for(;;){if(!e||t<nt(e))return!1;if(e==n)return!0;t=mt(e)+1,e=e.parentNode}}function Zc(n,e){let t;for(;!(n==e||!n);n=n.nextSibling){
let i=j.get(n);if(!i?.isWidget())return!1;i&&(t||(t=[])).push(i)}if(t)for(let i of t){let s=i.overrideDOMText;if(s?.length)return!1}return!0}var Dn=class{constructor(e,t){
this.node=e,this.offset=t,this.pos=-1}},pr=class{constructor(e,t,i,s){this.typeOver=s,this.bounds=null,this.text="",this.domChanged=t>-1;let{impreciseHead:r,impreciseAnchor:o}=e.
docView,l=e.state.selection;if(e.state.readOnly&&t>-1)this.newSel=null;else if(t>-1&&(this.bounds=La(e.docView.tile,t,i,0))){let a=r||o?[]:Kc(e),h=new dr(a,e);h.
readRange(this.bounds.startDOM,this.bounds.endDOM),this.text=h.text,this.newSel=Jc(a,this.bounds.from)}else{let a=e.observer.selectionRange,h=r&&r.node==a.focusNode&&
r.offset==a.focusOffset||!Zs(e.contentDOM,a.focusNode)?l.main.head:e.docView.posFromDOM(a.focusNode,a.focusOffset),f=o&&o.node==a.anchorNode&&o.offset==a.anchorOffset||
!Zs(e.contentDOM,a.anchorNode)?l.main.anchor:e.docView.posFromDOM(a.anchorNode,a.anchorOffset),c=e.viewport;if((w.ios||w.chrome)&&h!=f&&Math.min(h,f)<=l.main.from&&
Math.max(h,f)>=l.main.to&&(c.from>0||c.to<e.state.doc.length)){let u=Math.min(h,f),d=Math.max(h,f),p=c.from-u,m=c.to-d;(p==0||p==1||u==0)&&(m==0||m==-1||d==e.state.
doc.length)&&(h=0,f=e.state.doc.length)}if(e.inputState.composing>-1&&l.ranges.length>1)this.newSel=l.replaceRange(b.range(f,h));else if(e.lineWrapping&&f==h&&!(l.
main.empty&&l.main.head==h)&&e.inputState.lastTouchTime>Date.now()-100){let u=e.coordsAtPos(h,-1),d=0;u&&(d=e.inputState.lastTouchY<=u.bottom?-1:1),this.newSel=
b.create([b.cursor(h,d)])}else this.newSel=b.single(f,h)}}};function La(n,e,t,i){if(n.isComposite()){let s=-1,r=-1,o=-1,l=-1;for(let a=0,h=i,f=i;a<n.children.length;a++){
let c=n.children[a],u=h+c.length;if(h<e&&u>t)return La(c,e,t,h);if(u>=e&&s==-1&&(s=a,r=h),h>t&&c.dom.parentNode==n.dom){o=a,l=f;break}f=u,h=u+c.breakAfter}return{
from:r,to:l<0?i+n.length:l,startDOM:(s?n.children[s-1].dom.nextSibling:null)||n.dom.firstChild,endDOM:o<n.children.length&&o>=0?n.children[o].dom:null}}else return n.
isText()?{from:i,to:i+n.length,startDOM:n.dom,endDOM:n.dom.nextSibling}:null}function za(n,e){let t,{newSel:i}=e,{state:s}=n,r=s.selection.main,o=n.inputState.lastKeyTime>
Date.now()-100?n.inputState.lastKeyCode:-1;if(e.bounds){let{from:l,to:a}=e.bounds,h=r.from,f=null;(o===8||w.android&&e.text.length<a-l)&&(h=r.to,f="end");let c=s.
doc.sliceString(l,a,Yt),u,d;!r.empty&&r.from>=l&&r.to<=a&&(e.typeOver||c!=e.text)&&c.slice(0,r.from-l)==e.text.slice(0,r.from-l)&&c.slice(r.to-l)==e.text.slice(
u=e.text.length-(c.length-(r.to-l)))?t={from:r.from,to:r.to,insert:D.of(e.text.slice(r.from-l,u).split(Yt))}:(d=Ia(c,e.text,h-l,f))&&(w.chrome&&o==13&&d.toB==d.
from+2&&e.text.slice(d.from,d.toB)==Yt+Yt&&d.toB--,t={from:l+d.from,to:l+d.toA,insert:D.of(e.text.slice(d.from,d.toB).split(Yt))})}else i&&(!n.hasFocus&&s.facet(
tt)||mr(i,r))&&(i=null);if(!t&&!i)return!1;if((w.mac||w.android)&&t&&t.from==t.to&&t.from==r.head-1&&/^\. ?$/.test(t.insert.toString())&&n.contentDOM.getAttribute(
"autocorrect")=="off"?(i&&t.insert.length==2&&(i=b.single(i.main.anchor-1,i.main.head-1)),t={from:t.from,to:t.to,insert:D.of([t.insert.toString().replace("."," ")])}):
s.doc.lineAt(r.from).to<r.to&&n.docView.lineHasWidget(r.to)&&n.inputState.insertingTextAt>Date.now()-50?t={from:r.from,to:r.to,insert:s.toText(n.inputState.insertingText)}:
w.chrome&&t&&t.from==t.to&&t.from==r.head&&t.insert.toString()==`
 `&&n.lineWrapping&&(i&&(i=b.single(i.main.anchor-1,i.main.head-1)),t={from:r.from,to:r.to,insert:D.of([" "])}),t)return Gr(n,t,i,o);if(i&&!mr(i,r)){let l=!1,a="\
select";return n.inputState.lastSelectionTime>Date.now()-50&&(n.inputState.lastSelectionOrigin=="select"&&(l=!0),a=n.inputState.lastSelectionOrigin,a=="select.p\
ointer"&&(i=Wa(s.facet(Li).map(h=>h(n)),i))),n.dispatch({selection:i,scrollIntoView:l,userEvent:a}),!0}else return!1}function Gr(n,e,t,i=-1){if(w.ios&&n.inputState.
flushIOSKey(e))return!0;let s=n.state.selection.main;if(w.android&&(e.to==s.to&&(e.from==s.from||e.from==s.from-1&&n.state.sliceDoc(e.from,s.from)==" ")&&e.insert.
length==1&&e.insert.lines==2&&ii(n.contentDOM,"Enter",13)||(e.from==s.from-1&&e.to==s.to&&e.insert.length==0||i==8&&e.insert.length<e.to-e.from&&e.to>s.head)&&ii(
n.contentDOM,"Backspace",8)||e.from==s.from&&e.to==s.to+1&&e.insert.length==0&&ii(n.contentDOM,"Delete",46)))return!0;let r=e.insert.toString();n.inputState.composing>=
0&&n.inputState.composing++;let o,l=()=>o||(o=Yc(n,e,t));return n.state.facet(wa).some(a=>a(n,e.from,e.to,r,l))||n.dispatch(l()),!0}function Yc(n,e,t){let i,s=n.
state,r=s.selection.main,o=-1;if(e.from==e.to&&e.from<r.from||e.from>r.to){let a=e.from<r.from?-1:1,h=a<0?r.from:r.to,f=Mi(s.facet(Li).map(c=>c(n)),h,a);e.from==
f&&(o=f)}if(o>-1)i={changes:e,selection:b.cursor(e.from+e.insert.length,-1)};else if(e.from>=r.from&&e.to<=r.to&&e.to-e.from>=(r.to-r.from)/3&&(!t||t.main.empty&&
t.main.from==e.from+e.insert.length)&&n.inputState.composing<0){let a=r.from<e.from?s.sliceDoc(r.from,e.from):"",h=r.to>e.to?s.sliceDoc(e.to,r.to):"";i=s.replaceSelection(
n.state.toText(a+e.insert.sliceString(0,void 0,n.state.lineBreak)+h))}else{let a=s.changes(e),h=t&&t.main.to<=a.newLength?t.main:void 0;if(s.selection.ranges.length>
1&&(n.inputState.composing>=0||n.inputState.compositionPendingChange)&&e.to<=r.to+10&&e.to>=r.to-10){let f=n.state.sliceDoc(e.from,e.to),c,u=t&&$a(n,t.main.head);
if(u){let p=e.insert.length-(e.to-e.from);c={from:u.from,to:u.to-p}}else c=n.state.doc.lineAt(r.head);let d=r.to-e.to;i=s.changeByRange(p=>{if(p.from==r.from&&p.
to==r.to)return{changes:a,range:h||p.map(a)};let m=p.to-d,g=m-f.length;if(n.state.sliceDoc(g,m)!=f||m>=c.from&&g<=c.to)return{range:p};let y=s.changes({from:g,to:m,
insert:e.insert}),C=p.to-r.to;return{changes:y,range:h?b.range(Math.max(0,h.anchor+C),Math.max(0,h.head+C)):p.map(y)}})}else i={changes:a,selection:h&&s.selection.
replaceRange(h)}}let l="input.type";return(n.composing||n.inputState.compositionPendingChange&&n.inputState.compositionEndedAt>Date.now()-50)&&(n.inputState.compositionPendingChange=
!1,l+=".compose",n.inputState.compositionFirstChange&&(l+=".start",n.inputState.compositionFirstChange=!1)),s.update(i,{userEvent:l,scrollIntoView:!0})}function Ia(n,e,t,i){
let s=Math.min(n.length,e.length),r=0;for(;r<s&&n.charCodeAt(r)==e.charCodeAt(r);)r++;if(r==s&&n.length==e.length)return null;let o=n.length,l=e.length;for(;o>0&&
l>0&&n.charCodeAt(o-1)==e.charCodeAt(l-1);)o--,l--;if(i=="end"){let a=Math.max(0,r-Math.min(o,l));t-=o+a-r}if(o<r&&n.length<e.length){let a=t<=r&&t>=o?r-t:0;r-=
a,l=r+(l-o),o=r}else if(l<r){let a=t<=r&&t>=l?r-t:0;r-=a,o=r+(o-l),l=r}return{from:r,toA:o,toB:l}}function Kc(n){let e=[];if(n.root.activeElement!=n.contentDOM)
return e;let{anchorNode:t,anchorOffset:i,focusNode:s,focusOffset:r}=n.observer.selectionRange;return t&&(e.push(new Dn(t,i)),(s!=t||r!=i)&&e.push(new Dn(s,r))),
e}function Jc(n,e){if(n.length==0)return null;let t=n[0].pos,i=n.length==2?n[1].pos:t;return t<0||i<0?null:t==i?b.create([b.cursor(i+e,-1)]):b.single(t+e,i+e)}function mr(n,e){
return e.head==n.main.head&&e.anchor==n.main.anchor}var gr=class{setSelectionOrigin(e){this.lastSelectionOrigin=e,this.lastSelectionTime=Date.now()}constructor(e){
this.view=e,this.lastKeyCode=0,this.lastKeyTime=0,this.touchActive=!1,this.lastTouchTime=0,this.lastTouchX=0,this.lastTouchY=0,this.lastFocusTime=0,this.lastScrollTop=
0,this.lastScrollLeft=0,this.lastWheelEvent=0,this.pendingIOSKey=void 0,this.lastIOSMomentumScroll=0,this.tabFocusMode=-1,this.lastSelectionOrigin=null,this.lastSelectionTime=
0,this.lastContextMenu=0,this.scrollHandlers=[],this.handlers=Object.create(null),this.composing=-1,this.compositionFirstChange=null,this.compositionEndedAt=0,this.
compositionPendingKey=!1,this.compositionPendingChange=!1,this.insertingText="",this.insertingTextAt=0,this.mouseSelection=null,this.draggedContent=null,this.handleEvent=
this.handleEvent.bind(this),this.notifiedFocused=e.hasFocus,w.safari&&e.contentDOM.addEventListener("input",()=>null),w.gecko&&pu(e.contentDOM.ownerDocument)}handleEvent(e){
!lu(this.view,e)||this.ignoreDuringComposition(e)||e.type=="keydown"&&this.keydown(e)||(this.view.updateState!=0?Promise.resolve().then(()=>this.runHandlers(e.type,
e)):this.runHandlers(e.type,e))}runHandlers(e,t){let i=this.handlers[e];if(i){for(let s of i.observers)s(this.view,t);for(let s of i.handlers){if(t.defaultPrevented)
break;if(s(this.view,t)){t.preventDefault();break}}}}ensureHandlers(e){let t=tu(e),i=this.handlers,s=this.view.contentDOM;for(let r in t)if(r!="scroll"){let o=!t[r].
handlers.length,l=i[r];l&&o!=!l.handlers.length&&(s.removeEventListener(r,this.handleEvent),l=null),l||s.addEventListener(r,this.handleEvent,{passive:o})}for(let r in i)
r!="scroll"&&!t[r]&&s.removeEventListener(r,this.handleEvent);this.handlers=t}keydown(e){if(this.lastKeyCode=e.keyCode,this.lastKeyTime=Date.now(),e.keyCode==9&&
this.tabFocusMode>-1&&(!this.tabFocusMode||Date.now()<=this.tabFocusMode))return!0;if(this.tabFocusMode>0&&e.keyCode!=27&&Va.indexOf(e.keyCode)<0&&(this.tabFocusMode=
-1),w.android&&w.chrome&&!e.synthetic&&(e.keyCode==13||e.keyCode==8))return this.view.observer.delayAndroidKey(e.key,e.keyCode),!0;if(w.ios&&!e.synthetic&&!e.altKey&&
!e.metaKey&&(Na.some(t=>t.keyCode==e.keyCode)&&!e.ctrlKey||iu.indexOf(e.key)>-1&&e.ctrlKey)){let t={ctrlKey:e.ctrlKey,altKey:e.altKey,metaKey:e.metaKey,shiftKey:e.
shiftKey};t.shiftKey&&w.ios&&!/^(off|none)$/.test(this.view.contentDOM.autocapitalize)&&eu(this.view.win)&&(t.shiftKey=!1);let i=this.pendingIOSKey={key:e.key,keyCode:e.
keyCode,mods:t};return setTimeout(()=>{this.pendingIOSKey==i&&this.flushIOSKey()},50),!0}return e.keyCode!=229&&this.view.observer.forceFlush(),!1}flushIOSKey(e){
let t=this.pendingIOSKey;return!t||this.view.observer.pendingRecords().length||t.key=="Enter"&&e&&e.from<e.to&&/^\S+$/.test(e.insert.toString())?!1:(this.pendingIOSKey=
void 0,ii(this.view.contentDOM,t.key,t.keyCode,t.mods))}ignoreDuringComposition(e){return!/^key/.test(e.type)||e.synthetic?!1:this.composing>0?!0:w.safari&&!w.ios&&
this.compositionPendingKey&&Date.now()-this.compositionEndedAt<100?(this.compositionPendingKey=!1,!0):!1}startMouseSelection(e){this.mouseSelection&&this.mouseSelection.
destroy(),this.mouseSelection=e}update(e){this.view.observer.update(e),this.mouseSelection&&this.mouseSelection.update(e),this.draggedContent&&e.docChanged&&(this.
draggedContent=this.draggedContent.map(e.changes)),e.transactions.length&&(this.lastKeyCode=this.lastSelectionTime=0)}destroy(){this.mouseSelection&&this.mouseSelection.
destroy()}};function eu(n){return n.visualViewport?n.visualViewport.height*n.visualViewport.scale/n.document.documentElement.clientHeight<.85:!1}function $l(n,e){
return(t,i)=>{try{return e.call(n,i,t)}catch(s){Qe(t.state,s)}}}function tu(n){let e=Object.create(null);function t(i){return e[i]||(e[i]={observers:[],handlers:[]})}
for(let i of n){let s=i.spec,r=s&&s.plugin.domEventHandlers,o=s&&s.plugin.domEventObservers;if(r)for(let l in r){let a=r[l];a&&t(l).handlers.push($l(i.value,a))}
if(o)for(let l in o){let a=o[l];a&&t(l).observers.push($l(i.value,a))}}for(let i in $e)t(i).handlers.push($e[i]);for(let i in fe)t(i).observers.push(fe[i]);return e}
var Na=[{key:"Backspace",keyCode:8,inputType:"deleteContentBackward"},{key:"Enter",keyCode:13,inputType:"insertParagraph"},{key:"Enter",keyCode:13,inputType:"in\
sertLineBreak"},{key:"Delete",keyCode:46,inputType:"deleteContentForward"}],iu="dthko",Va=[16,17,18,20,91,92,224,225],mn=6;function gn(n){return Math.max(0,n)*.7+
8}function nu(n,e){return Math.max(Math.abs(n.clientX-e.clientX),Math.abs(n.clientY-e.clientY))}var Or=class{constructor(e,t,i,s){this.view=e,this.startEvent=t,
this.style=i,this.mustSelect=s,this.scrollSpeed={x:0,y:0},this.scrolling=-1,this.lastEvent=t,this.scrollParents=la(e.contentDOM),this.atoms=e.state.facet(Li).map(
o=>o(e));let r=e.contentDOM.ownerDocument;r.addEventListener("mousemove",this.move=this.move.bind(this)),r.addEventListener("mouseup",this.up=this.up.bind(this)),
this.extend=t.shiftKey,this.multiple=e.state.facet(X.allowMultipleSelections)&&su(e,t),this.dragging=ou(e,t)&&_a(t)==1?null:!1}start(e){this.dragging===!1&&this.
select(e)}move(e){if(e.buttons==0)return this.destroy();if(this.dragging||this.dragging==null&&nu(this.startEvent,e)<10)return;this.select(this.lastEvent=e);let t=0,
i=0,s=0,r=0,o=this.view.win.innerWidth,l=this.view.win.innerHeight;this.scrollParents.x&&({left:s,right:o}=this.scrollParents.x.getBoundingClientRect()),this.scrollParents.
y&&({top:r,bottom:l}=this.scrollParents.y.getBoundingClientRect());let a=Ba(this.view);e.clientX-a.left<=s+mn?t=-gn(s-e.clientX):e.clientX+a.right>=o-mn&&(t=gn(
e.clientX-o)),e.clientY-a.top<=r+mn?i=-gn(r-e.clientY):e.clientY+a.bottom>=l-mn&&(i=gn(e.clientY-l)),this.setScrollSpeed(t,i)}up(e){this.dragging==null&&this.select(
this.lastEvent),this.dragging||e.preventDefault(),this.destroy()}destroy(){this.setScrollSpeed(0,0);let e=this.view.contentDOM.ownerDocument;e.removeEventListener(
"mousemove",this.move),e.removeEventListener("mouseup",this.up),this.view.inputState.mouseSelection=this.view.inputState.draggedContent=null}setScrollSpeed(e,t){
this.scrollSpeed={x:e,y:t},e||t?this.scrolling<0&&(this.scrolling=setInterval(()=>this.scroll(),50)):this.scrolling>-1&&(clearInterval(this.scrolling),this.scrolling=
-1)}scroll(){let{x:e,y:t}=this.scrollSpeed;e&&this.scrollParents.x&&(this.scrollParents.x.scrollLeft+=e,e=0),t&&this.scrollParents.y&&(this.scrollParents.y.scrollTop+=
t,t=0),(e||t)&&this.view.win.scrollBy(e,t),this.dragging===!1&&this.select(this.lastEvent)}select(e){let{view:t}=this,i=Wa(this.atoms,this.style.get(e,this.extend,
this.multiple));(this.mustSelect||!i.eq(t.state.selection,this.dragging===!1))&&this.view.dispatch({selection:i,userEvent:"select.pointer"}),this.mustSelect=!1}update(e){
e.transactions.some(t=>t.isUserEvent("input.type"))?this.destroy():this.style.update(e)&&setTimeout(()=>this.select(this.lastEvent),20)}};function su(n,e){let t=n.
state.facet(ba);return t.length?t[0](e):w.mac?e.metaKey:e.ctrlKey}function ru(n,e){let t=n.state.facet(xa);return t.length?t[0](e):w.mac?!e.altKey:!e.ctrlKey}function ou(n,e){
let{main:t}=n.state.selection;if(t.empty)return!1;let i=$i(n.root);if(!i||i.rangeCount==0)return!0;let s=i.getRangeAt(0).getClientRects();for(let r=0;r<s.length;r++){
let o=s[r];if(o.left<=e.clientX&&o.right>=e.clientX&&o.top<=e.clientY&&o.bottom>=e.clientY)return!0}return!1}function lu(n,e){if(!e.bubbles)return!0;if(e.defaultPrevented)
return!1;for(let t=e.target,i;t!=n.contentDOM;t=t.parentNode)if(!t||t.nodeType==11||(i=j.get(t))&&i.isWidget()&&!i.isHidden&&i.widget.ignoreEvent(e))return!1;return!0}
var $e=Object.create(null),fe=Object.create(null),Xa=w.ie&&w.ie_version<15||w.ios&&w.webkit_version<604;function au(n){let e=n.dom.parentNode;if(!e)return;let t=e.
appendChild(document.createElement("textarea"));t.style.cssText="position: fixed; left: -10000px; top: 10px",t.focus(),setTimeout(()=>{n.focus(),t.remove(),Fa(n,
t.value)},50)}function Vn(n,e,t){for(let i of n.facet(e))t=i(t,n);return t}function Fa(n,e){e=Vn(n.state,_r,e);let{state:t}=n,i,s=1,r=t.toText(e),o=r.lines==t.selection.
ranges.length;if(yr!=null&&t.selection.ranges.every(a=>a.empty)&&yr==r.toString()){let a=-1;i=t.changeByRange(h=>{let f=t.doc.lineAt(h.from);if(f.from==a)return{
range:h};a=f.from;let c=t.toText((o?r.line(s++).text:e)+t.lineBreak);return{changes:{from:f.from,insert:c},range:b.cursor(h.from+c.length,-1)}})}else o?i=t.changeByRange(
a=>{let h=r.line(s++);return{changes:{from:a.from,to:a.to,insert:h.text},range:b.cursor(a.from+h.length,-1)}}):i=t.replaceSelection(r);n.dispatch(i,{userEvent:"\
input.paste",scrollIntoView:!0})}fe.scroll=n=>{let e=n.inputState;e.lastScrollTop=n.scrollDOM.scrollTop,e.lastScrollLeft=n.scrollDOM.scrollLeft,w.ios&&!e.touchActive&&
(e.lastIOSMomentumScroll=Date.now())};fe.wheel=fe.mousewheel=n=>{n.inputState.lastWheelEvent=Date.now()};$e.keydown=(n,e)=>(n.inputState.setSelectionOrigin("sel\
ect"),e.keyCode==27&&n.inputState.tabFocusMode!=0&&(n.inputState.tabFocusMode=Date.now()+2e3),!1);fe.touchstart=(n,e)=>{let t=n.inputState,i=e.targetTouches[0];
t.touchActive=!0,t.lastTouchTime=Date.now(),i&&(t.lastTouchX=i.clientX,t.lastTouchY=i.clientY),t.setSelectionOrigin("select.pointer")};fe.touchmove=n=>{n.inputState.
setSelectionOrigin("select.pointer")};fe.touchend=(n,e)=>{n.inputState.touchActive=!1};$e.mousedown=(n,e)=>{if(n.observer.flush(),n.inputState.lastTouchTime>Date.
now()-2e3)return!1;let t=null;for(let i of n.state.facet(Sa))if(t=i(n,e),t)break;if(!t&&e.button==0&&(t=fu(n,e)),t){let i=!n.hasFocus;n.inputState.startMouseSelection(
new Or(n,e,t,i)),i&&n.observer.ignore(()=>{fa(n.contentDOM);let r=n.root.activeElement;r&&!r.contains(n.contentDOM)&&r.blur()});let s=n.inputState.mouseSelection;
if(s)return s.start(e),s.dragging===!1}else n.inputState.setSelectionOrigin("select.pointer");return!1};function Wl(n,e,t,i){if(i==1)return b.cursor(e,t);if(i==
2)return Fc(n.state,e,t);{let s=n.docView.lineAt(e,t),r=n.state.doc.lineAt(s?s.posAtEnd:e),o=s?s.posAtStart:r.from,l=s?s.posAtEnd:r.to;return l<n.state.doc.length&&
l==r.to&&l++,b.undirectionalRange(o,l)}}var hu=w.ie&&w.ie_version<=11,Ll=null,zl=0,Il=0;function _a(n){if(!hu)return n.detail;let e=Ll,t=Il;return Ll=n,Il=Date.
now(),zl=!e||t>Date.now()-400&&Math.abs(e.clientX-n.clientX)<2&&Math.abs(e.clientY-n.clientY)<2?(zl+1)%3:1}function fu(n,e){let t=n.posAndSideAtCoords({x:e.clientX,
y:e.clientY},!1),i=_a(e),s=n.state.selection;return{update(r){r.docChanged&&(t.pos=r.changes.mapPos(t.pos),s=s.map(r.changes))},get(r,o,l){let a=n.posAndSideAtCoords(
{x:r.clientX,y:r.clientY},!1),h,f=Wl(n,a.pos,a.assoc,i);if(t.pos!=a.pos&&!o){let c=Wl(n,t.pos,t.assoc,i),u=Math.min(c.from,f.from),d=Math.max(c.to,f.to);f=u<f.from?
b.range(u,d,f.assoc):b.range(d,u,f.assoc)}return o?s.replaceRange(s.main.extend(f.from,f.to,f.assoc)):l&&i==1&&s.ranges.length>1&&(h=cu(s,a.pos))?h:l?s.addRange(
f):b.create([f])}}}function cu(n,e){for(let t=0;t<n.ranges.length;t++){let{from:i,to:s}=n.ranges[t];if(i<=e&&s>=e)return b.create(n.ranges.slice(0,t).concat(n.ranges.
slice(t+1)),n.mainIndex==t?0:n.mainIndex-(n.mainIndex>t?1:0))}return null}$e.dragstart=(n,e)=>{let{selection:{main:t}}=n.state;if(e.target.draggable){let s=n.docView.
tile.nearest(e.target);if(s&&s.isWidget()){let r=s.posAtStart,o=r+s.length;(r>=t.to||o<=t.from)&&(t=b.undirectionalRange(r,o))}}let{inputState:i}=n;return i.mouseSelection&&
(i.mouseSelection.dragging=!0),i.draggedContent=t,e.dataTransfer&&(e.dataTransfer.setData("Text",Vn(n.state,Hr,n.state.sliceDoc(t.from,t.to))),e.dataTransfer.effectAllowed=
"copyMove"),!1};$e.dragend=n=>(n.inputState.draggedContent=null,!1);function Nl(n,e,t,i){if(t=Vn(n.state,_r,t),!t)return;let s=n.posAtCoords({x:e.clientX,y:e.clientY},
!1),{draggedContent:r}=n.inputState,o=i&&r&&ru(n,e)?{from:r.from,to:r.to}:null,l={from:s,insert:t},a=n.state.changes(o?[o,l]:l);n.focus(),n.dispatch({changes:a,
selection:{anchor:a.mapPos(s,-1),head:a.mapPos(s,1)},userEvent:o?"move.drop":"input.drop"}),n.inputState.draggedContent=null}$e.drop=(n,e)=>{if(!e.dataTransfer)
return!1;if(n.state.readOnly)return!0;let t=e.dataTransfer.files;if(t&&t.length){let i=Array(t.length),s=0,r=()=>{++s==t.length&&Nl(n,e,i.filter(o=>o!=null).join(
n.state.lineBreak),!1)};for(let o=0;o<t.length;o++){let l=new FileReader;l.onerror=r,l.onload=()=>{/[\x00-\x08\x0e-\x1f]{2}/.test(l.result)||(i[o]=l.result),r()},
l.readAsText(t[o])}return!0}else{let i=e.dataTransfer.getData("Text");if(i)return Nl(n,e,i,!0),!0}return!1};$e.paste=(n,e)=>{if(n.state.readOnly)return!0;n.observer.
flush();let t=Xa?null:e.clipboardData;return t?(Fa(n,t.getData("text/plain")||t.getData("text/uri-list")),!0):(au(n),!1)};function uu(n,e){let t=n.dom.parentNode;
if(!t)return;let i=t.appendChild(document.createElement("textarea"));i.style.cssText="position: fixed; left: -10000px; top: 10px",i.value=e,i.focus(),i.selectionEnd=
e.length,i.selectionStart=0,setTimeout(()=>{i.remove(),n.focus()},50)}function du(n){let e=[],t=[],i=!1;for(let s of n.selection.ranges)s.empty||(e.push(n.sliceDoc(
s.from,s.to)),t.push(s));if(!e.length){let s=-1;for(let{from:r}of n.selection.ranges){let o=n.doc.lineAt(r);o.number>s&&(e.push(o.text),t.push({from:o.from,to:Math.
min(n.doc.length,o.to+1)})),s=o.number}i=!0}return{text:Vn(n,Hr,e.join(n.lineBreak)),ranges:t,linewise:i}}var yr=null;$e.copy=$e.cut=(n,e)=>{if(!Ci(n.contentDOM,
n.observer.selectionRange))return!1;let{text:t,ranges:i,linewise:s}=du(n.state);if(!t&&!s)return!1;yr=s?t:null,e.type=="cut"&&!n.state.readOnly&&n.dispatch({changes:i,
scrollIntoView:!0,userEvent:"delete.cut"});let r=Xa?null:e.clipboardData;return r?(r.clearData(),r.setData("text/plain",t),!0):(uu(n,t),!1)};var Ha=ue.define();
function Ua(n,e){let t=[];for(let i of n.facet(va)){let s=i(n,e);s&&t.push(s)}return t.length?n.update({effects:t,annotations:Ha.of(!0)}):null}function ja(n){setTimeout(
()=>{let e=n.hasFocus;if(e!=n.inputState.notifiedFocused){let t=Ua(n.state,e);t?n.dispatch(t):n.update([])}},10)}fe.focus=n=>{n.inputState.lastFocusTime=Date.now(),
!n.scrollDOM.scrollTop&&(n.inputState.lastScrollTop||n.inputState.lastScrollLeft)&&(n.scrollDOM.scrollTop=n.inputState.lastScrollTop,n.scrollDOM.scrollLeft=n.inputState.
lastScrollLeft),ja(n)};fe.blur=n=>{n.observer.clearSelectionRange(),ja(n)};fe.compositionstart=fe.compositionupdate=(n,e)=>{if(!n.observer.editContext&&(n.inputState.
compositionFirstChange==null&&(n.inputState.compositionFirstChange=!0),n.inputState.composing<0)){let{main:t}=n.state.selection;!t.empty&&n.lineBlockAt(t.from).
from!=n.lineBlockAt(t.to).from&&!n.state.readOnly&&n.dispatch({changes:n.state.selection.ranges.filter(i=>!i.empty).map(i=>({from:i.from,to:i.to})),userEvent:"i\
nput"}),n.inputState.composing=0}};fe.compositionend=n=>{n.observer.editContext||(n.inputState.composing=-1,n.inputState.compositionEndedAt=Date.now(),n.inputState.
compositionPendingKey=!0,n.inputState.compositionPendingChange=n.observer.pendingRecords().length>0,n.inputState.compositionFirstChange=null,w.chrome&&w.android?
n.observer.flushSoon():n.inputState.compositionPendingChange?Promise.resolve().then(()=>n.observer.flush()):setTimeout(()=>{n.inputState.composing<0&&n.docView.
hasComposition&&n.update([])},50))};fe.contextmenu=n=>{n.inputState.lastContextMenu=Date.now()};$e.beforeinput=(n,e)=>{var t,i;if((e.inputType=="insertText"||e.
inputType=="insertCompositionText")&&(n.inputState.insertingText=e.data,n.inputState.insertingTextAt=Date.now()),e.inputType=="insertReplacementText"&&n.observer.
editContext){let r=(t=e.dataTransfer)===null||t===void 0?void 0:t.getData("text/plain"),o=e.getTargetRanges();if(r&&o.length){let l=o[0],a=n.posAtDOM(l.startContainer,
l.startOffset),h=n.posAtDOM(l.endContainer,l.endOffset);return Gr(n,{from:a,to:h,insert:n.state.toText(r)},null),!0}}let s;if(w.chrome&&w.android&&(s=Na.find(r=>r.
inputType==e.inputType))&&(n.observer.delayAndroidKey(s.key,s.keyCode),s.key=="Backspace"||s.key=="Delete")){let r=((i=window.visualViewport)===null||i===void 0?
void 0:i.height)||0;setTimeout(()=>{var o;(((o=window.visualViewport)===null||o===void 0?void 0:o.height)||0)>r+10&&n.hasFocus&&(n.contentDOM.blur(),n.focus())},
100)}return w.ios&&e.inputType=="deleteContentForward"&&n.observer.flushSoon(),w.safari&&e.inputType=="insertText"&&n.inputState.composing>=0&&setTimeout(()=>fe.
compositionend(n,e),20),!1};var Vl=new Set;function pu(n){Vl.has(n)||(Vl.add(n),n.addEventListener("copy",()=>{}),n.addEventListener("cut",()=>{}))}var Xl=["pre\
-wrap","normal","pre-line","break-spaces"],hi=!1;function Fl(){hi=!1}var br=class{constructor(e){this.lineWrapping=e,this.doc=D.empty,this.heightSamples={},this.
lineHeight=14,this.charWidth=7,this.textHeight=14,this.lineLength=30}heightForGap(e,t){let i=this.doc.lineAt(t).number-this.doc.lineAt(e).number+1;return this.lineWrapping&&
(i+=Math.max(0,Math.ceil((t-e-i*this.lineLength*.5)/this.lineLength))),this.lineHeight*i}heightForLine(e){return this.lineWrapping?(1+Math.max(0,Math.ceil((e-this.
lineLength)/Math.max(1,this.lineLength-5))))*this.lineHeight:this.lineHeight}setDoc(e){return this.doc=e,this}mustRefreshForWrapping(e){return Xl.indexOf(e)>-1!=
this.lineWrapping}mustRefreshForHeights(e){let t=!1;for(let i=0;i<e.length;i++){let s=e[i];s<0?i++:this.heightSamples[Math.floor(s*10)]||(t=!0,this.heightSamples[Math.
floor(s*10)]=!0)}return t}refresh(e,t,i,s,r,o){let l=Xl.indexOf(e)>-1,a=Math.abs(t-this.lineHeight)>.3||this.lineWrapping!=l;if(this.lineWrapping=l,this.lineHeight=
t,this.charWidth=i,this.textHeight=s,this.lineLength=r,a){this.heightSamples={};for(let h=0;h<o.length;h++){let f=o[h];f<0?h++:this.heightSamples[Math.floor(f*10)]=
!0}}return a}},xr=class{constructor(e,t){this.from=e,this.heights=t,this.index=0}get more(){return this.index<this.heights.length}},Ee=class n{constructor(e,t,i,s,r){
this.from=e,this.length=t,this.top=i,this.height=s,this._content=r}get type(){return typeof this._content=="number"?ie.Text:Array.isArray(this._content)?this._content:
this._content.type}get to(){return this.from+this.length}get bottom(){return this.top+this.height}get widget(){return this._content instanceof Mt?this._content.
widget:null}get widgetLineBreaks(){return typeof this._content=="number"?this._content:0}join(e){let t=(Array.isArray(this._content)?this._content:[this]).concat(
Array.isArray(e._content)?e._content:[e]);return new n(this.from,this.length+e.length,this.top,this.height+e.height,t)}},_=(function(n){return n[n.ByPos=0]="ByP\
os",n[n.ByHeight=1]="ByHeight",n[n.ByPosNoHeight=2]="ByPosNoHeight",n})(_||(_={})),kn=.001,Oe=class n{constructor(e,t,i=2){this.length=e,this.height=t,this.flags=
i}get outdated(){return(this.flags&2)>0}set outdated(e){this.flags=(e?2:0)|this.flags&-3}setHeight(e){this.height!=e&&(Math.abs(this.height-e)>kn&&(hi=!0),this.
height=e)}replace(e,t,i){return n.of(i)}decomposeLeft(e,t){t.push(this)}decomposeRight(e,t){t.push(this)}applyChanges(e,t,i,s){let r=this,o=i.doc;for(let l=s.length-
1;l>=0;l--){let{fromA:a,toA:h,fromB:f,toB:c}=s[l],u=r.lineAt(a,_.ByPosNoHeight,i.setDoc(t),0,0),d=u.to>=h?u:r.lineAt(h,_.ByPosNoHeight,i,0,0);for(c+=d.to-h,h=d.
to;l>0&&u.from<=s[l-1].toA;)a=s[l-1].fromA,f=s[l-1].fromB,l--,a<u.from&&(u=r.lineAt(a,_.ByPosNoHeight,i,0,0));f+=u.from-a,a=u.from;let p=kr.build(i.setDoc(o),e,
f,c);r=Bn(r,r.replace(a,h,p))}return r.updateHeight(i,0)}static empty(){return new ve(0,0,0)}static of(e){if(e.length==1)return e[0];let t=0,i=e.length,s=0,r=0;
for(;;)if(t==i)if(s>r*2){let l=e[t-1];l.break?e.splice(--t,1,l.left,null,l.right):e.splice(--t,1,l.left,l.right),i+=1+l.break,s-=l.size}else if(r>s*2){let l=e[i];
l.break?e.splice(i,1,l.left,null,l.right):e.splice(i,1,l.left,l.right),i+=2+l.break,r-=l.size}else break;else if(s<r){let l=e[t++];l&&(s+=l.size)}else{let l=e[--i];
l&&(r+=l.size)}let o=!1;return e[t-1]==null?(o=!0,t--):e[t]==null&&(o=!0,i++),new Sr(n.of(e.slice(0,t)),o,n.of(e.slice(i)))}};function Bn(n,e){return n==e?n:(n.
constructor!=e.constructor&&(hi=!0),e)}Oe.prototype.size=1;var mu=W.replace({}),qn=class extends Oe{constructor(e,t,i){super(e,t),this.deco=i,this.spaceAbove=0}mainBlock(e,t){
return new Ee(t,this.length,e+this.spaceAbove,this.height-this.spaceAbove,this.deco||0)}blockAt(e,t,i,s){return this.spaceAbove&&e<i+this.spaceAbove?new Ee(s,0,
i,this.spaceAbove,mu):this.mainBlock(i,s)}lineAt(e,t,i,s,r){let o=this.mainBlock(s,r);return this.spaceAbove?this.blockAt(0,i,s,r).join(o):o}forEachLine(e,t,i,s,r,o){
e<=r+this.length&&t>=r&&o(this.lineAt(0,_.ByPos,i,s,r))}setMeasuredHeight(e){let t=e.heights[e.index++];t<0?(this.spaceAbove=-t,t=e.heights[e.index++]):this.spaceAbove=
0,this.setHeight(t)}updateHeight(e,t=0,i=!1,s){return s&&s.from<=t&&s.more&&this.setMeasuredHeight(s),this.outdated=!1,this}toString(){return`block(${this.length}\
)`}},ve=class n extends qn{constructor(e,t,i){super(e,t,null),this.collapsed=0,this.widgetHeight=0,this.breaks=0,this.spaceAbove=i}mainBlock(e,t){return new Ee(
t,this.length,e+this.spaceAbove,this.height-this.spaceAbove,this.breaks)}replace(e,t,i){let s=i[0];return i.length==1&&(s instanceof n||s instanceof pt&&s.flags&
4)&&Math.abs(this.length-s.length)<10?(s instanceof pt?s=new n(s.length,this.height,this.spaceAbove):s.height=this.height,this.outdated||(s.outdated=!1),s):Oe.of(
i)}updateHeight(e,t=0,i=!1,s){return s&&s.from<=t&&s.more?this.setMeasuredHeight(s):(i||this.outdated)&&(this.spaceAbove=0,this.setHeight(Math.max(this.widgetHeight,
e.heightForLine(this.length-this.collapsed))+this.breaks*e.lineHeight)),this.outdated=!1,this}toString(){return`line(${this.length}${this.collapsed?-this.collapsed:
""}${this.widgetHeight?":"+this.widgetHeight:""})`}},pt=class n extends Oe{constructor(e){super(e,0)}heightMetrics(e,t){let i=e.doc.lineAt(t).number,s=e.doc.lineAt(
t+this.length).number,r=s-i+1,o,l=0;if(e.lineWrapping){let a=Math.min(this.height,e.lineHeight*r);o=a/r,this.length>r+1&&(l=(this.height-a)/(this.length-r-1))}else
o=this.height/r;return{firstLine:i,lastLine:s,perLine:o,perChar:l}}blockAt(e,t,i,s){let{firstLine:r,lastLine:o,perLine:l,perChar:a}=this.heightMetrics(t,s);if(t.
lineWrapping){let h=s+(e<t.lineHeight?0:Math.round(Math.max(0,Math.min(1,(e-i)/this.height))*this.length)),f=t.doc.lineAt(h),c=l+f.length*a,u=Math.max(i,e-c/2);
return new Ee(f.from,f.length,u,c,0)}else{let h=Math.max(0,Math.min(o-r,Math.floor((e-i)/l))),{from:f,length:c}=t.doc.line(r+h);return new Ee(f,c,i+l*h,l,0)}}lineAt(e,t,i,s,r){
if(t==_.ByHeight)return this.blockAt(e,i,s,r);if(t==_.ByPosNoHeight){let{from:d,to:p}=i.doc.lineAt(e);return new Ee(d,p-d,0,0,0)}let{firstLine:o,perLine:l,perChar:a}=this.
heightMetrics(i,r),h=i.doc.lineAt(e),f=l+h.length*a,c=h.number-o,u=s+l*c+a*(h.from-r-c);return new Ee(h.from,h.length,Math.max(s,Math.min(u,s+this.height-f)),f,
0)}forEachLine(e,t,i,s,r,o){e=Math.max(e,r),t=Math.min(t,r+this.length);let{firstLine:l,perLine:a,perChar:h}=this.heightMetrics(i,r);for(let f=e,c=s;f<=t;){let u=i.
doc.lineAt(f);if(f==e){let p=u.number-l;c+=a*p+h*(e-r-p)}let d=a+h*u.length;o(new Ee(u.from,u.length,c,d,0)),c+=d,f=u.to+1}}replace(e,t,i){let s=this.length-t;if(s>
0){let r=i[i.length-1];r instanceof n?i[i.length-1]=new n(r.length+s):i.push(null,new n(s-1))}if(e>0){let r=i[0];r instanceof n?i[0]=new n(e+r.length):i.unshift(
new n(e-1),null)}return Oe.of(i)}decomposeLeft(e,t){t.push(new n(e-1),null)}decomposeRight(e,t){t.push(null,new n(this.length-e-1))}updateHeight(e,t=0,i=!1,s){let r=t+
this.length;if(s&&s.from<=t+this.length&&s.more){let o=[],l=Math.max(t,s.from),a=-1;for(s.from>t&&o.push(new n(s.from-t-1).updateHeight(e,t));l<=r&&s.more;){let f=e.
doc.lineAt(l).length;o.length&&o.push(null);let c=s.heights[s.index++],u=0;c<0&&(u=-c,c=s.heights[s.index++]),a==-1?a=c:Math.abs(c-a)>=kn&&(a=-2);let d=new ve(f,
c,u);d.outdated=!1,o.push(d),l+=f+1}l<=r&&o.push(null,new n(r-l).updateHeight(e,l));let h=Oe.of(o);return(a<0||Math.abs(h.height-this.height)>=kn||Math.abs(a-this.
heightMetrics(e,t).perLine)>=kn)&&(hi=!0),Bn(this,h)}else(i||this.outdated)&&(this.setHeight(e.heightForGap(t,t+this.length)),this.outdated=!1);return this}toString(){
return`gap(${this.length})`}},Sr=class extends Oe{constructor(e,t,i){super(e.length+(t?1:0)+i.length,e.height+i.height,(t?1:0)|(e.outdated||i.outdated?2:0)),this.
left=e,this.right=i,this.size=e.size+i.size}get break(){return this.flags&1}blockAt(e,t,i,s){let r=i+this.left.height;return e<r?this.left.blockAt(e,t,i,s):this.
right.blockAt(e,t,r,s+this.left.length+this.break)}lineAt(e,t,i,s,r){let o=s+this.left.height,l=r+this.left.length+this.break,a=t==_.ByHeight?e<o:e<l,h=a?this.left.
lineAt(e,t,i,s,r):this.right.lineAt(e,t,i,o,l);if(this.break||(a?h.to<l:h.from>l))return h;let f=t==_.ByPosNoHeight?_.ByPosNoHeight:_.ByPos;return a?h.join(this.
right.lineAt(l,f,i,o,l)):this.left.lineAt(l,f,i,s,r).join(h)}forEachLine(e,t,i,s,r,o){let l=s+this.left.height,a=r+this.left.length+this.break;if(this.break)e<a&&
this.left.forEachLine(e,t,i,s,r,o),t>=a&&this.right.forEachLine(e,t,i,l,a,o);else{let h=this.lineAt(a,_.ByPos,i,s,r);e<h.from&&this.left.forEachLine(e,Math.min(
t,h.from-1),i,s,r,o),h.to>=e&&h.from<=t&&o(h),t>h.to&&this.right.forEachLine(Math.max(e,h.to+1),t,i,l,a,o)}}replace(e,t,i){let s=this.left.length+this.break;if(t<
s)return this.balanced(this.left.replace(e,t,i),this.right);if(e>this.left.length)return this.balanced(this.left,this.right.replace(e-s,t-s,i));let r=[];e>0&&this.
decomposeLeft(e,r);let o=r.length;for(let l of i)r.push(l);if(e>0&&_l(r,o-1),t<this.length){let l=r.length;this.decomposeRight(t,r),_l(r,l)}return Oe.of(r)}decomposeLeft(e,t){
let i=this.left.length;if(e<=i)return this.left.decomposeLeft(e,t);t.push(this.left),this.break&&(i++,e>=i&&t.push(null)),e>i&&this.right.decomposeLeft(e-i,t)}decomposeRight(e,t){
let i=this.left.length,s=i+this.break;if(e>=s)return this.right.decomposeRight(e-s,t);e<i&&this.left.decomposeRight(e,t),this.break&&e<s&&t.push(null),t.push(this.
right)}balanced(e,t){return e.size>2*t.size||t.size>2*e.size?Oe.of(this.break?[e,null,t]:[e,t]):(this.left=Bn(this.left,e),this.right=Bn(this.right,t),this.setHeight(
e.height+t.height),this.outdated=e.outdated||t.outdated,this.size=e.size+t.size,this.length=e.length+this.break+t.length,this)}updateHeight(e,t=0,i=!1,s){let{left:r,
right:o}=this,l=t+r.length+this.break,a=null;return s&&s.from<=t+r.length&&s.more?a=r=r.updateHeight(e,t,i,s):r.updateHeight(e,t,i),s&&s.from<=l+o.length&&s.more?
a=o=o.updateHeight(e,l,i,s):o.updateHeight(e,l,i),a?this.balanced(r,o):(this.height=this.left.height+this.right.height,this.outdated=!1,this)}toString(){return this.
left+(this.break?" ":"-")+this.right}};function _l(n,e){let t,i;n[e]==null&&(t=n[e-1])instanceof pt&&(i=n[e+1])instanceof pt&&n.splice(e-1,3,new pt(t.length+1+i.
length))}var gu=5,kr=class n{constructor(e,t){this.pos=e,this.oracle=t,this.nodes=[],this.lineStart=-1,this.lineEnd=-1,this.covering=null,this.writtenTo=e}get isCovered(){
return this.covering&&this.nodes[this.nodes.length-1]==this.covering}span(e,t){if(this.lineStart>-1){let i=Math.min(t,this.lineEnd),s=this.nodes[this.nodes.length-
1];s instanceof ve?s.length+=i-this.pos:(i>this.pos||!this.isCovered)&&this.nodes.push(new ve(i-this.pos,-1,0)),this.writtenTo=i,t>i&&(this.nodes.push(null),this.
writtenTo++,this.lineStart=-1)}this.pos=t}point(e,t,i){if(e<t||i.heightRelevant){let s=i.widget?i.widget.estimatedHeight:0,r=i.widget?i.widget.lineBreaks:0;s<0&&
(s=this.oracle.lineHeight);let o=t-e;i.block?this.addBlock(new qn(o,s,i)):(o||r||s>=gu)&&this.addLineDeco(s,r,o)}else t>e&&this.span(e,t);this.lineEnd>-1&&this.
lineEnd<this.pos&&(this.lineEnd=this.oracle.doc.lineAt(this.pos).to)}enterLine(){if(this.lineStart>-1)return;let{from:e,to:t}=this.oracle.doc.lineAt(this.pos);this.
lineStart=e,this.lineEnd=t,this.writtenTo<e&&((this.writtenTo<e-1||this.nodes[this.nodes.length-1]==null)&&this.nodes.push(this.blankContent(this.writtenTo,e-1)),
this.nodes.push(null)),this.pos>e&&this.nodes.push(new ve(this.pos-e,-1,0)),this.writtenTo=this.pos}blankContent(e,t){let i=new pt(t-e);return this.oracle.doc.lineAt(
e).to==t&&(i.flags|=4),i}ensureLine(){this.enterLine();let e=this.nodes.length?this.nodes[this.nodes.length-1]:null;if(e instanceof ve)return e;let t=new ve(0,-1,
0);return this.nodes.push(t),t}addBlock(e){this.enterLine();let t=e.deco;t&&t.startSide>0&&!this.isCovered&&this.ensureLine(),this.nodes.push(e),this.writtenTo=
this.pos=this.pos+e.length,t&&t.endSide>0&&(this.covering=e)}addLineDeco(e,t,i){let s=this.ensureLine();s.length+=i,s.collapsed+=i,s.widgetHeight=Math.max(s.widgetHeight,
e),s.breaks+=t,this.writtenTo=this.pos=this.pos+i}finish(e){let t=this.nodes.length==0?null:this.nodes[this.nodes.length-1];this.lineStart>-1&&!(t instanceof ve)&&
!this.isCovered?this.nodes.push(new ve(0,-1,0)):(this.writtenTo<this.pos||t==null)&&this.nodes.push(this.blankContent(this.writtenTo,this.pos));let i=e;for(let s of this.
nodes)s instanceof ve&&s.updateHeight(this.oracle,i),i+=s?s.length:1;return this.nodes}static build(e,t,i,s){let r=new n(i,e);return z.spans(t,i,s,r,0),r.finish(
i)}};function Ou(n,e,t){let i=new wr;return z.compare(n,e,t,i,0),i.changes}var wr=class{constructor(){this.changes=[]}compareRange(){}comparePoint(e,t,i,s){(e<t||
i&&i.heightRelevant||s&&s.heightRelevant)&&ti(e,t,this.changes,5)}};function yu(n,e){let t=n.getBoundingClientRect(),i=n.ownerDocument,s=i.defaultView||window,r=Math.
max(0,t.left),o=Math.min(s.innerWidth,t.right),l=Math.max(0,t.top),a=Math.min(s.innerHeight,t.bottom);for(let h=n.parentNode;h&&h!=i.body;)if(J(h)){let f=window.
getComputedStyle(h);if((h.scrollHeight>h.clientHeight||h.scrollWidth>h.clientWidth)&&f.overflow!="visible"){let c=h.getBoundingClientRect();r=Math.max(r,c.left),
o=Math.min(o,c.right),l=Math.max(l,c.top),a=Math.min(h==n.parentNode?s.innerHeight:a,c.bottom)}h=f.position=="absolute"||f.position=="fixed"?h.offsetParent:h.parentNode}else if(h.
nodeType==11)h=h.host;else break;return{left:r-t.left,right:Math.max(r,o)-t.left,top:l-(t.top+e),bottom:Math.max(l,a)-(t.top+e)}}function bu(n){let e=n.getBoundingClientRect(),
t=n.ownerDocument.defaultView||window;return e.left<t.innerWidth&&e.right>0&&e.top<t.innerHeight&&e.bottom>0}function xu(n,e){let t=n.getBoundingClientRect();return{
left:0,right:t.right-t.left,top:e,bottom:t.bottom-(t.top+e)}}var Ei=class{constructor(e,t,i,s){this.from=e,this.to=t,this.size=i,this.displaySize=s}static same(e,t){
if(e.length!=t.length)return!1;for(let i=0;i<e.length;i++){let s=e[i],r=t[i];if(s.from!=r.from||s.to!=r.to||s.size!=r.size)return!1}return!0}draw(e,t){return W.
replace({widget:new vr(this.displaySize*(t?e.scaleY:e.scaleX),t)}).range(this.from,this.to)}},vr=class extends Be{constructor(e,t){super(),this.size=e,this.vertical=
t}eq(e){return e.size==this.size&&e.vertical==this.vertical}toDOM(){let e=document.createElement("div");return this.vertical?e.style.height=this.size+"px":(e.style.
width=this.size+"px",e.style.height="2px",e.style.display="inline-block"),e}get estimatedHeight(){return this.vertical?this.size:-1}},$n=class{constructor(e,t){
this.view=e,this.state=t,this.pixelViewport={left:0,right:window.innerWidth,top:0,bottom:0},this.inView=!0,this.paddingTop=0,this.paddingBottom=0,this.contentDOMWidth=
0,this.contentDOMHeight=0,this.editorHeight=0,this.editorWidth=0,this.scaleX=1,this.scaleY=1,this.scrollOffset=0,this.scrolledToBottom=!1,this.scrollAnchorPos=0,
this.scrollAnchorHeight=-1,this.scaler=Tr,this.scrollTarget=null,this.printing=!1,this.mustMeasureContent=!0,this.defaultTextDirection=N.LTR,this.visibleRanges=
[],this.mustEnforceCursorAssoc=!1;let i=t.facet(Ur).some(s=>typeof s!="function"&&s.class=="cm-lineWrapping");this.heightOracle=new br(i),this.stateDeco=Hl(t),this.
heightMap=Oe.empty().applyChanges(this.stateDeco,D.empty,this.heightOracle.setDoc(t.doc),[new De(0,0,0,t.doc.length)]);for(let s=0;s<2&&(this.viewport=this.getViewport(
0,null),!!this.updateForViewport());s++);this.updateViewportLines(),this.lineGaps=this.ensureLineGaps([]),this.lineGapDeco=W.set(this.lineGaps.map(s=>s.draw(this,
!1))),this.scrollParent=e.scrollDOM,this.computeVisibleRanges()}updateForViewport(){let e=[this.viewport],{main:t}=this.state.selection;for(let i=0;i<=1;i++){let s=i?
t.head:t.anchor;if(!e.some(({from:r,to:o})=>s>=r&&s<=o)){let{from:r,to:o}=this.lineBlockAt(s);e.push(new Jt(r,o))}}return this.viewports=e.sort((i,s)=>i.from-s.
from),this.updateScaler()}updateScaler(){let e=this.scaler;return this.scaler=this.heightMap.height<=7e6?Tr:Cr.get(this.heightOracle,this.heightMap,this.viewports),
e.eq(this.scaler)?0:2}updateViewportLines(){this.viewportLines=[],this.heightMap.forEachLine(this.viewport.from,this.viewport.to,this.heightOracle.setDoc(this.state.
doc),0,0,e=>{this.viewportLines.push(Ti(e,this.scaler))})}update(e,t=null){this.state=e.state;let i=this.stateDeco;this.stateDeco=Hl(this.state);let s=e.changedRanges,
r=De.extendWithRanges(s,Ou(i,this.stateDeco,e?e.changes:ae.empty(this.state.doc.length))),o=this.heightMap.height,l=this.scrolledToBottom?null:this.scrollAnchorAt(
this.scrollOffset);Fl(),this.heightMap=this.heightMap.applyChanges(this.stateDeco,e.startState.doc,this.heightOracle.setDoc(this.state.doc),r),(this.heightMap.height!=
o||hi)&&(e.flags|=2),l?(this.scrollAnchorPos=e.changes.mapPos(l.from,-1),this.scrollAnchorHeight=l.top):(this.scrollAnchorPos=-1,this.scrollAnchorHeight=o);let a=r.
length?this.mapViewport(this.viewport,e.changes):this.viewport;(t&&(t.range.head<a.from||t.range.head>a.to)||!this.viewportIsAppropriate(a))&&(a=this.getViewport(
0,t));let h=a.from!=this.viewport.from||a.to!=this.viewport.to;this.viewport=a,e.flags|=this.updateForViewport(),(h||!e.changes.empty||e.flags&2)&&this.updateViewportLines(),
(this.lineGaps.length||this.viewport.to-this.viewport.from>4e3)&&this.updateLineGaps(this.ensureLineGaps(this.mapLineGaps(this.lineGaps,e.changes))),e.flags|=this.
computeVisibleRanges(e.changes),t&&(this.scrollTarget=t),!this.mustEnforceCursorAssoc&&(e.selectionSet||e.focusChanged)&&e.view.lineWrapping&&e.state.selection.
main.empty&&e.state.selection.main.assoc&&!e.state.facet(Ca)&&(this.mustEnforceCursorAssoc=!0)}measure(){let{view:e}=this,t=e.contentDOM,i=window.getComputedStyle(
t),s=this.heightOracle,r=i.whiteSpace;this.defaultTextDirection=i.direction=="rtl"?N.RTL:N.LTR;let o=this.heightOracle.mustRefreshForWrapping(r)||this.mustMeasureContent===
"refresh",l=t.getBoundingClientRect(),a=o||this.mustMeasureContent||this.contentDOMHeight!=l.height;this.contentDOMHeight=l.height,this.mustMeasureContent=!1;let h=0,
f=0;if(l.width&&l.height){let{scaleX:x,scaleY:v}=oa(t,l);(x>.005&&Math.abs(this.scaleX-x)>.005||v>.005&&Math.abs(this.scaleY-v)>.005)&&(this.scaleX=x,this.scaleY=
v,h|=16,o=a=!0)}let c=(parseInt(i.paddingTop)||0)*this.scaleY,u=(parseInt(i.paddingBottom)||0)*this.scaleY;(this.paddingTop!=c||this.paddingBottom!=u)&&(this.paddingTop=
c,this.paddingBottom=u,h|=18),this.editorWidth!=e.scrollDOM.clientWidth&&(s.lineWrapping&&(a=!0),this.editorWidth=e.scrollDOM.clientWidth,h|=16);let d=la(this.view.
contentDOM,!1).y;d!=this.scrollParent&&(this.scrollParent=d,this.scrollAnchorHeight=-1,this.scrollOffset=0);let p=this.getScrollOffset();this.scrollOffset!=p&&(this.
scrollAnchorHeight=-1,this.scrollOffset=p),this.scrolledToBottom=ca(this.scrollParent||e.win);let m=(this.printing?xu:yu)(t,this.paddingTop),g=m.top-this.pixelViewport.
top,y=m.bottom-this.pixelViewport.bottom;this.pixelViewport=m;let C=this.pixelViewport.bottom>this.pixelViewport.top&&this.pixelViewport.right>this.pixelViewport.
left;if(C!=this.inView&&(this.inView=C,C&&(a=!0)),!this.inView&&!this.scrollTarget&&!bu(e.dom))return 0;let k=l.width;if((this.contentDOMWidth!=k||this.editorHeight!=
e.scrollDOM.clientHeight)&&(this.contentDOMWidth=l.width,this.editorHeight=e.scrollDOM.clientHeight,h|=16),a){let x=e.docView.measureVisibleLineHeights(this.viewport);
if(s.mustRefreshForHeights(x)&&(o=!0),o||s.lineWrapping&&Math.abs(k-this.contentDOMWidth)>s.charWidth){let{lineHeight:v,charWidth:T,textHeight:q}=e.docView.measureTextSize();
o=v>0&&s.refresh(r,v,T,q,Math.max(5,k/T),x),o&&(e.docView.minWidth=0,h|=16)}g>0&&y>0?f=Math.max(g,y):g<0&&y<0&&(f=Math.min(g,y)),Fl();for(let v of this.viewports){
let T=v.from==this.viewport.from?x:e.docView.measureVisibleLineHeights(v);this.heightMap=(o?Oe.empty().applyChanges(this.stateDeco,D.empty,this.heightOracle,[new De(
0,0,0,e.state.doc.length)]):this.heightMap).updateHeight(s,0,o,new xr(v.from,T))}hi&&(h|=2)}let R=!this.viewportIsAppropriate(this.viewport,f)||this.scrollTarget&&
(this.scrollTarget.range.head<this.viewport.from||this.scrollTarget.range.head>this.viewport.to);return R&&(h&2&&(h|=this.updateScaler()),this.viewport=this.getViewport(
f,this.scrollTarget),h|=this.updateForViewport()),(h&2||R)&&this.updateViewportLines(),(this.lineGaps.length||this.viewport.to-this.viewport.from>4e3)&&this.updateLineGaps(
this.ensureLineGaps(o?[]:this.lineGaps,e)),h|=this.computeVisibleRanges(),this.mustEnforceCursorAssoc&&(this.mustEnforceCursorAssoc=!1,e.docView.enforceCursorAssoc()),
h}get visibleTop(){return this.scaler.fromDOM(this.pixelViewport.top)}get visibleBottom(){return this.scaler.fromDOM(this.pixelViewport.bottom)}getViewport(e,t){
let i=.5-Math.max(-.5,Math.min(.5,e/1e3/2)),s=this.heightMap,r=this.heightOracle,{visibleTop:o,visibleBottom:l}=this,a=new Jt(s.lineAt(o-i*1e3,_.ByHeight,r,0,0).
from,s.lineAt(l+(1-i)*1e3,_.ByHeight,r,0,0).to);if(t){let{head:h}=t.range;if(h<a.from||h>a.to){let f=Math.min(this.editorHeight,this.pixelViewport.bottom-this.pixelViewport.
top),c=s.lineAt(h,_.ByPos,r,0,0),u;t.y=="center"?u=(c.top+c.bottom)/2-f/2:t.y=="start"||t.y=="nearest"&&h<a.from?u=c.top:u=c.bottom-f,a=new Jt(s.lineAt(u-1e3/2,
_.ByHeight,r,0,0).from,s.lineAt(u+f+1e3/2,_.ByHeight,r,0,0).to)}}return a}mapViewport(e,t){let i=t.mapPos(e.from,-1),s=t.mapPos(e.to,1);return new Jt(this.heightMap.
lineAt(i,_.ByPos,this.heightOracle,0,0).from,this.heightMap.lineAt(s,_.ByPos,this.heightOracle,0,0).to)}viewportIsAppropriate({from:e,to:t},i=0){if(!this.inView)
return!0;let{top:s}=this.heightMap.lineAt(e,_.ByPos,this.heightOracle,0,0),{bottom:r}=this.heightMap.lineAt(t,_.ByPos,this.heightOracle,0,0),{visibleTop:o,visibleBottom:l}=this;
return(e==0||s<=o-Math.max(10,Math.min(-i,250)))&&(t==this.state.doc.length||r>=l+Math.max(10,Math.min(i,250)))&&s>o-2*1e3&&r<l+2*1e3}mapLineGaps(e,t){if(!e.length||
t.empty)return e;let i=[];for(let s of e)t.touchesRange(s.from,s.to)||i.push(new Ei(t.mapPos(s.from),t.mapPos(s.to),s.size,s.displaySize));return i}ensureLineGaps(e,t){
let i=this.heightOracle.lineWrapping,s=i?1e4:2e3,r=s>>1,o=s<<1;if(this.defaultTextDirection!=N.LTR&&!i)return[];let l=[],a=(f,c,u,d)=>{if(c-f<r)return;let p=this.
state.selection.main,m=[p.from];p.empty||m.push(p.to);for(let y of m)if(y>f&&y<c){a(f,y-10,u,d),a(y+10,c,u,d);return}let g=ku(e,y=>y.from>=u.from&&y.to<=u.to&&Math.
abs(y.from-f)<r&&Math.abs(y.to-c)<r&&!m.some(C=>y.from<C&&y.to>C));if(!g){if(c<u.to&&t&&i&&t.visibleRanges.some(k=>k.from<=c&&k.to>=c)){let k=t.moveToLineBoundary(
b.cursor(c),!1,!0).head;k>f&&(c=k)}let y=this.gapSize(u,f,c,d),C=i||y<2e6?y:2e6;g=new Ei(f,c,y,C)}l.push(g)},h=f=>{if(f.length<o||f.type!=ie.Text)return;let c=Su(
f.from,f.to,this.stateDeco);if(c.total<o)return;let u=this.scrollTarget?this.scrollTarget.range.head:null,d,p;if(i){let m=s/this.heightOracle.lineLength*this.heightOracle.
lineHeight,g,y;if(u!=null){let C=yn(c,u),k=((this.visibleBottom-this.visibleTop)/2+m)/f.height;g=C-k,y=C+k}else g=(this.visibleTop-f.top-m)/f.height,y=(this.visibleBottom-
f.top+m)/f.height;d=On(c,g),p=On(c,y)}else{let m=c.total*this.heightOracle.charWidth,g=s*this.heightOracle.charWidth,y=0;if(m>2e6)for(let v of e)v.from>=f.from&&
v.from<f.to&&v.size!=v.displaySize&&v.from*this.heightOracle.charWidth+y<this.pixelViewport.left&&(y=v.size-v.displaySize);let C=this.pixelViewport.left+y,k=this.
pixelViewport.right+y,R,x;if(u!=null){let v=yn(c,u),T=((k-C)/2+g)/m;R=v-T,x=v+T}else R=(C-g)/m,x=(k+g)/m;d=On(c,R),p=On(c,x)}d>f.from&&a(f.from,d,f,c),p<f.to&&a(
p,f.to,f,c)};for(let f of this.viewportLines)Array.isArray(f.type)?f.type.forEach(h):h(f);return l}gapSize(e,t,i,s){let r=yn(s,i)-yn(s,t);return this.heightOracle.
lineWrapping?e.height*r:s.total*this.heightOracle.charWidth*r}updateLineGaps(e){Ei.same(e,this.lineGaps)||(this.lineGaps=e,this.lineGapDeco=W.set(e.map(t=>t.draw(
this,this.heightOracle.lineWrapping))))}computeVisibleRanges(e){let t=this.stateDeco;this.lineGaps.length&&(t=t.concat(this.lineGapDeco));let i=[];z.spans(t,this.
viewport.from,this.viewport.to,{span(r,o){i.push({from:r,to:o})},point(){}},20);let s=0;if(i.length!=this.visibleRanges.length)s=12;else for(let r=0;r<i.length&&
!(s&8);r++){let o=this.visibleRanges[r],l=i[r];(o.from!=l.from||o.to!=l.to)&&(s|=4,e&&e.mapPos(o.from,-1)==l.from&&e.mapPos(o.to,1)==l.to||(s|=8))}return this.visibleRanges=
i,s}lineBlockAt(e){return e>=this.viewport.from&&e<=this.viewport.to&&this.viewportLines.find(t=>t.from<=e&&t.to>=e)||Ti(this.heightMap.lineAt(e,_.ByPos,this.heightOracle,
0,0),this.scaler)}lineBlockAtHeight(e){return e>=this.viewportLines[0].top&&e<=this.viewportLines[this.viewportLines.length-1].bottom&&this.viewportLines.find(t=>t.
top<=e&&t.bottom>=e)||Ti(this.heightMap.lineAt(this.scaler.fromDOM(e),_.ByHeight,this.heightOracle,0,0),this.scaler)}getScrollOffset(){return this.scrollParent==
this.view.scrollDOM?this.scrollParent.scrollTop*this.scaleY:(this.scrollParent?this.scrollParent.getBoundingClientRect().top:0)-this.view.contentDOM.getBoundingClientRect().
top}scrollAnchorAt(e){let t=this.lineBlockAtHeight(e+12-this.paddingTop);return t.from>=this.viewport.from||this.viewportLines[0].top-e>200?t:this.viewportLines[0]}elementAtHeight(e){
return Ti(this.heightMap.blockAt(this.scaler.fromDOM(e),this.heightOracle,0,0),this.scaler)}get docHeight(){return this.scaler.toDOM(this.heightMap.height)}get contentHeight(){
return this.docHeight+this.paddingTop+this.paddingBottom}},Jt=class{constructor(e,t){this.from=e,this.to=t}};function Su(n,e,t){let i=[],s=n,r=0;return z.spans(
t,n,e,{span(){},point(o,l){o>s&&(i.push({from:s,to:o}),r+=o-s),s=l}},20),s<e&&(i.push({from:s,to:e}),r+=e-s),{total:r,ranges:i}}function On({total:n,ranges:e},t){
if(t<=0)return e[0].from;if(t>=1)return e[e.length-1].to;let i=Math.floor(n*t);for(let s=0;;s++){let{from:r,to:o}=e[s],l=o-r;if(i<=l)return r+i;i-=l}}function yn(n,e){
let t=0;for(let{from:i,to:s}of n.ranges){if(e<=s){t+=e-i;break}t+=s-i}return t/n.total}function ku(n,e){for(let t of n)if(e(t))return t}var Tr={toDOM(n){return n},
fromDOM(n){return n},scale:1,eq(n){return n==this}};function Hl(n){let e=n.facet(Nn).filter(i=>typeof i!="function"),t=n.facet(jr).filter(i=>typeof i!="function");
return t.length&&e.push(z.join(t)),e}var Cr=class n{constructor(e,t){this.scale=e,this.viewports=t}static get(e,t,i){let s=0,r=0,o=0,l=i.map(({from:h,to:f})=>{let c=t.
lineAt(h,_.ByPos,e,0,0).top,u=t.lineAt(f,_.ByPos,e,0,0).bottom;return s+=u-c,{from:h,to:f,top:c,bottom:u,domTop:0,domBottom:0}});if(t.height-s<10)return Tr;let a=(7e6-
s)/(t.height-s);for(let h of l)h.domTop=o+(h.top-r)*a,o=h.domBottom=h.domTop+(h.bottom-h.top),r=h.bottom;return new n(a,l)}toDOM(e){for(let t=0,i=0,s=0;;t++){let r=t<
this.viewports.length?this.viewports[t]:null;if(!r||e<r.top)return s+(e-i)*this.scale;if(e<=r.bottom)return r.domTop+(e-r.top);i=r.bottom,s=r.domBottom}}fromDOM(e){
for(let t=0,i=0,s=0;;t++){let r=t<this.viewports.length?this.viewports[t]:null;if(!r||e<r.domTop)return i+(e-s)/this.scale;if(e<=r.domBottom)return r.top+(e-r.domTop);
i=r.bottom,s=r.domBottom}}eq(e){return e instanceof n?this.scale==e.scale&&this.viewports.length==e.viewports.length&&this.viewports.every((t,i)=>t.from==e.viewports[i].
from&&t.to==e.viewports[i].to):!1}};function Ti(n,e){if(e.scale==1)return n;let t=e.toDOM(n.top),i=e.toDOM(n.bottom);return new Ee(n.from,n.length,t,i-t,Array.isArray(
n._content)?n._content.map(s=>Ti(s,e)):n._content)}var bn=Q.define({combine:n=>n.join(" ")}),Qr=Q.define({combine:n=>n.indexOf(!0)>-1}),Pr=we.newName(),Ga=we.newName(),
Za=we.newName(),Ya={"&light":"."+Ga,"&dark":"."+Za};function Ar(n,e,t){return new we(e,{finish(i){return/&/.test(i)?i.replace(/&\w*/,s=>{if(s=="&")return n;if(!t||
!t[s])throw new RangeError(`Unsupported selector: ${s}`);return t[s]}):n+" "+i}})}var wu=Ar("."+Pr,{"&":{position:"relative !important",boxSizing:"border-box","\
&.cm-focused":{outline:"1px dotted #212121"},display:"flex !important",flexDirection:"column"},".cm-scroller":{display:"flex !important",alignItems:"flex-start \
!important",fontFamily:"monospace",lineHeight:1.4,height:"100%",overflowX:"auto",position:"relative",zIndex:0,overflowAnchor:"none"},".cm-content":{margin:0,flexGrow:2,
flexShrink:0,display:"block",whiteSpace:"pre",wordWrap:"normal",boxSizing:"border-box",minHeight:"100%",padding:"4px 0",outline:"none","&[contenteditable=true]":{
WebkitUserModify:"read-write-plaintext-only"}},".cm-lineWrapping":{whiteSpace_fallback:"pre-wrap",whiteSpace:"break-spaces",wordBreak:"break-word",overflowWrap:"\
anywhere",flexShrink:1},"&light .cm-content":{caretColor:"black"},"&dark .cm-content":{caretColor:"white"},".cm-line":{display:"block",padding:"0 2px 0 6px"},".\
cm-layer":{userSelect:"none",position:"absolute",left:0,top:0,contain:"size style","& > *":{position:"absolute"}},"&light .cm-selectionBackground":{background:"\
#d9d9d9"},"&dark .cm-selectionBackground":{background:"#222"},"&light.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":{background:"#d7d4\
f0"},"&dark.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":{background:"#233"},".cm-cursorLayer":{pointerEvents:"none"},"&.cm-focused >\
 .cm-scroller > .cm-cursorLayer":{animation:"steps(1) cm-blink 1.2s infinite"},"@keyframes cm-blink":{"0%":{},"50%":{opacity:0},"100%":{}},"@keyframes cm-blink2":{
"0%":{},"50%":{opacity:0},"100%":{}},".cm-cursor, .cm-dropCursor":{borderLeft:"1.2px solid black",marginLeft:"-0.6px",pointerEvents:"none"},".cm-cursor":{display:"\
none"},"&dark .cm-cursor":{borderLeftColor:"#ddd"},".cm-selectionHandle":{backgroundColor:"currentColor",width:"1.5px"},".cm-selectionHandle-start::before, .cm-\
selectionHandle-end::before":{content:'""',backgroundColor:"inherit",borderRadius:"50%",width:"8px",height:"8px",position:"absolute",left:"-3.25px"},".cm-select\
ionHandle-start::before":{top:"-8px"},".cm-selectionHandle-end::before":{bottom:"-8px"},".cm-dropCursor":{position:"absolute"},"&.cm-focused > .cm-scroller > .c\
m-cursorLayer .cm-cursor":{display:"block"},".cm-iso":{unicodeBidi:"isolate"},".cm-announced":{position:"fixed",top:"-10000px"},"@media print":{".cm-announced":{
display:"none"}},"&light .cm-activeLine":{backgroundColor:"#cceeff44"},"&dark .cm-activeLine":{backgroundColor:"#99eeff33"},"&light .cm-specialChar":{color:"red"},
"&dark .cm-specialChar":{color:"#f78"},".cm-gutters":{flexShrink:0,display:"flex",height:"100%",boxSizing:"border-box",zIndex:200},".cm-gutters-before":{insetInlineStart:0},
".cm-gutters-after":{insetInlineEnd:0},"&light .cm-gutters":{backgroundColor:"#f5f5f5",color:"#6c6c6c",border:"0px solid #ddd","&.cm-gutters-before":{borderRightWidth:"\
1px"},"&.cm-gutters-after":{borderLeftWidth:"1px"}},"&dark .cm-gutters":{backgroundColor:"#333338",color:"#ccc"},".cm-gutter":{display:"flex !important",flexDirection:"\
column",flexShrink:0,boxSizing:"border-box",minHeight:"100%",overflow:"hidden"},".cm-gutterElement":{boxSizing:"border-box"},".cm-lineNumbers .cm-gutterElement":{
padding:"0 3px 0 5px",minWidth:"20px",textAlign:"right",whiteSpace:"nowrap"},"&light .cm-activeLineGutter":{backgroundColor:"#e2f2ff"},"&dark .cm-activeLineGutt\
er":{backgroundColor:"#222227"},".cm-panels":{boxSizing:"border-box",position:"sticky",left:0,right:0,zIndex:300},"&light .cm-panels":{backgroundColor:"#f5f5f5",
color:"black"},".cm-panels-top":{top:"0"},".cm-panels-bottom":{bottom:"0"},"&light .cm-panels-top":{borderBottom:"1px solid #ddd"},"&light .cm-panels-bottom":{borderTop:"\
1px solid #ddd"},"&dark .cm-panels":{backgroundColor:"#333338",color:"white"},".cm-dialog":{padding:"2px 19px 4px 6px",position:"relative","& label":{fontSize:"\
80%"}},".cm-dialog-close":{position:"absolute",top:"3px",right:"4px",backgroundColor:"inherit",border:"none",font:"inherit",fontSize:"14px",padding:"0"},".cm-ta\
b":{display:"inline-block",overflow:"hidden",verticalAlign:"bottom"},".cm-widgetBuffer":{verticalAlign:"baseline",height:"1em",width:0,display:"inline"},".cm-pl\
aceholder":{color:"#888",display:"inline-block",verticalAlign:"top",userSelect:"none"},".cm-highlightSpace":{background:"radial-gradient(circle at 50% 55%, #aaa\
 20%, transparent 0) no-repeat",backgroundSize:".4em",backgroundPosition:"calc(min(50%, 0px)) center"},".cm-highlightTab":{backgroundImage:`url('data:image/svg+\
xml,<svg xmlns="http://www.w3.org/2000/svg" width="200" height="20"><path stroke="%23888" stroke-width="1" fill="none" d="M1 10H196L190 5M190 15L196 10M197 4L19\
7 16"/></svg>')`,backgroundSize:"auto 100%",backgroundPosition:"right 90%",backgroundRepeat:"no-repeat"},".cm-trailingSpace":{backgroundColor:"#ff332255"},".cm-\
button":{verticalAlign:"middle",color:"inherit",fontSize:"70%",padding:".2em 1em",borderRadius:"1px"},"&light .cm-button":{backgroundImage:"linear-gradient(#eff\
1f5, #d9d9df)",border:"1px solid #888","&:active":{backgroundImage:"linear-gradient(#b4b4b4, #d0d3d6)"}},"&dark .cm-button":{backgroundImage:"linear-gradient(#3\
93939, #111)",border:"1px solid #888","&:active":{backgroundImage:"linear-gradient(#111, #333)"}},".cm-textfield":{verticalAlign:"middle",color:"inherit",fontSize:"\
70%",border:"1px solid silver",padding:".2em .5em"},"&light .cm-textfield":{backgroundColor:"white"},"&dark .cm-textfield":{border:"1px solid #555",backgroundColor:"\
inherit"}},Ya),vu={childList:!0,characterData:!0,subtree:!0,attributes:!0,characterDataOldValue:!0},Vs=w.ie&&w.ie_version<=11,Rr=class{constructor(e){this.view=
e,this.active=!1,this.editContext=null,this.selectionRange=new Ys,this.selectionChanged=!1,this.delayedFlush=-1,this.resizeTimeout=-1,this.queue=[],this.delayedAndroidKey=
null,this.flushingAndroidKey=-1,this.lastChange=0,this.scrollTargets=[],this.intersection=null,this.resizeScroll=null,this.intersecting=!1,this.gapIntersection=
null,this.gaps=[],this.printQuery=null,this.parentCheck=-1,this.dom=e.contentDOM,this.observer=new MutationObserver(t=>{for(let i of t)this.queue.push(i);(w.ie&&
w.ie_version<=11||w.ios&&e.composing)&&t.some(i=>i.type=="childList"&&i.removedNodes.length||i.type=="characterData"&&i.oldValue.length>i.target.nodeValue.length)?
this.flushSoon():this.flush()}),window.EditContext&&w.android&&e.constructor.EDIT_CONTEXT!==!1&&!(w.chrome&&w.chrome_version<126)&&(this.editContext=new Mr(e),e.
state.facet(tt)&&(e.contentDOM.editContext=this.editContext.editContext)),Vs&&(this.onCharData=t=>{this.queue.push({target:t.target,type:"characterData",oldValue:t.
prevValue}),this.flushSoon()}),this.onSelectionChange=this.onSelectionChange.bind(this),this.onResize=this.onResize.bind(this),this.onPrint=this.onPrint.bind(this),
this.onScroll=this.onScroll.bind(this),window.matchMedia&&(this.printQuery=window.matchMedia("print")),typeof ResizeObserver=="function"&&(this.resizeScroll=new ResizeObserver(
()=>{var t;((t=this.view.docView)===null||t===void 0?void 0:t.lastUpdate)<Date.now()-75&&this.onResize()}),this.resizeScroll.observe(e.scrollDOM)),this.addWindowListeners(
this.win=e.win),this.start(),typeof IntersectionObserver=="function"&&(this.intersection=new IntersectionObserver(t=>{this.parentCheck<0&&(this.parentCheck=setTimeout(
this.listenForScroll.bind(this),1e3)),t.length>0&&t[t.length-1].intersectionRatio>0!=this.intersecting&&(this.intersecting=!this.intersecting,this.intersecting!=
this.view.inView&&this.onScrollChanged(document.createEvent("Event")))},{threshold:[0,.001]}),this.intersection.observe(this.dom),this.gapIntersection=new IntersectionObserver(
t=>{t.length>0&&t[t.length-1].intersectionRatio>0&&this.onScrollChanged(document.createEvent("Event"))},{})),this.listenForScroll(),this.readSelectionRange()}onScrollChanged(e){
this.view.inputState.runHandlers("scroll",e),this.intersecting&&this.view.measure()}onScroll(e){this.intersecting&&this.flush(this.pendingRecords().length>0),this.
editContext&&this.view.requestMeasure(this.editContext.measureReq),this.onScrollChanged(e)}onResize(){this.resizeTimeout<0&&(this.resizeTimeout=setTimeout(()=>{
this.resizeTimeout=-1,this.view.requestMeasure()},50))}onPrint(e){(e.type=="change"||!e.type)&&!e.matches||(this.view.viewState.printing=!0,this.view.measure(),
setTimeout(()=>{this.view.viewState.printing=!1,this.view.requestMeasure()},500))}updateGaps(e){if(this.gapIntersection&&(e.length!=this.gaps.length||this.gaps.
some((t,i)=>t!=e[i]))){this.gapIntersection.disconnect();for(let t of e)this.gapIntersection.observe(t);this.gaps=e}}onSelectionChange(e){let t=this.selectionChanged;
if(!this.readSelectionRange()||this.delayedAndroidKey)return;let{view:i}=this,s=this.selectionRange;if(i.state.facet(tt)?i.root.activeElement!=this.dom:!Ci(this.
dom,s))return;let r=s.anchorNode&&i.docView.tile.nearest(s.anchorNode);if(r&&r.isWidget()&&r.widget.ignoreEvent(e)){t||(this.selectionChanged=!1);return}(w.ie&&
w.ie_version<=11||w.android&&w.chrome)&&!i.state.selection.main.empty&&s.focusNode&&Qi(s.focusNode,s.focusOffset,s.anchorNode,s.anchorOffset)?this.flushSoon():this.
flush(!1)}readSelectionRange(){let{view:e}=this,t=$i(e.root);if(!t)return!1;let i=w.safari&&e.root.nodeType==11&&e.root.activeElement==this.dom&&Tu(this.view,t)||
t;if(!i||this.selectionRange.eq(i))return!1;let s=Ci(this.dom,i);return s&&!this.selectionChanged&&e.inputState.lastFocusTime>Date.now()-200&&e.inputState.lastTouchTime<
Date.now()-300&&bc(this.dom,i)?(this.view.inputState.lastFocusTime=0,e.docView.updateSelection(),!1):(this.selectionRange.setRange(i),s&&(this.selectionChanged=
!0),!0)}setSelectionRange(e,t){this.selectionRange.set(e.node,e.offset,t.node,t.offset),this.selectionChanged=!1}clearSelectionRange(){this.selectionRange.set(null,
0,null,0)}listenForScroll(){this.parentCheck=-1;let e=0,t=null;for(let i=this.dom;i;)if(J(i))!t&&e<this.scrollTargets.length&&this.scrollTargets[e]==i?e++:t||(t=
this.scrollTargets.slice(0,e)),t&&t.push(i),i=i.assignedSlot||i.parentNode;else if(i.nodeType==11)i=i.host;else break;if(e<this.scrollTargets.length&&!t&&(t=this.
scrollTargets.slice(0,e)),t){for(let i of this.scrollTargets)i.removeEventListener("scroll",this.onScroll);for(let i of this.scrollTargets=t)i.addEventListener(
"scroll",this.onScroll)}}ignore(e){if(!this.active)return e();try{return this.stop(),e()}finally{this.start(),this.clear()}}start(){this.active||(this.observer.
observe(this.dom,vu),Vs&&this.dom.addEventListener("DOMCharacterDataModified",this.onCharData),this.active=!0)}stop(){this.active&&(this.active=!1,this.observer.
disconnect(),Vs&&this.dom.removeEventListener("DOMCharacterDataModified",this.onCharData))}clear(){this.processRecords(),this.queue.length=0,this.selectionChanged=
!1}delayAndroidKey(e,t){var i;if(!this.delayedAndroidKey){let s=()=>{let r=this.delayedAndroidKey;r&&(this.clearDelayedAndroidKey(),this.view.inputState.lastKeyCode=
r.keyCode,this.view.inputState.lastKeyTime=Date.now(),!this.flush()&&r.force&&ii(this.dom,r.key,r.keyCode))};this.flushingAndroidKey=this.view.win.requestAnimationFrame(
s)}(!this.delayedAndroidKey||e=="Enter")&&(this.delayedAndroidKey={key:e,keyCode:t,force:this.lastChange<Date.now()-50||!!(!((i=this.delayedAndroidKey)===null||
i===void 0)&&i.force)})}clearDelayedAndroidKey(){this.win.cancelAnimationFrame(this.flushingAndroidKey),this.delayedAndroidKey=null,this.flushingAndroidKey=-1}flushSoon(){
this.delayedFlush<0&&(this.delayedFlush=this.view.win.requestAnimationFrame(()=>{this.delayedFlush=-1,this.flush()}))}forceFlush(){this.delayedFlush>=0&&(this.view.
win.cancelAnimationFrame(this.delayedFlush),this.delayedFlush=-1),this.flush()}pendingRecords(){for(let e of this.observer.takeRecords())this.queue.push(e);return this.
queue}processRecords(){let e=this.pendingRecords();e.length&&(this.queue=[]);let t=-1,i=-1,s=!1;for(let r of e){let o=this.readMutation(r);o&&(o.typeOver&&(s=!0),
t==-1?{from:t,to:i}=o:(t=Math.min(o.from,t),i=Math.max(o.to,i)))}return{from:t,to:i,typeOver:s}}readChange(){let{from:e,to:t,typeOver:i}=this.processRecords(),s=this.
selectionChanged&&Ci(this.dom,this.selectionRange);if(e<0&&!s)return null;e>-1&&(this.lastChange=Date.now()),this.view.inputState.lastFocusTime=0,this.selectionChanged=
!1;let r=new pr(this.view,e,t,i);return this.view.docView.domChanged={newSel:r.newSel?r.newSel.main:null},r}flush(e=!0){if(this.delayedFlush>=0||this.delayedAndroidKey)
return!1;e&&this.readSelectionRange();let t=this.selectionChanged,i=this.readChange();if(!i)return this.view.requestMeasure(),!1;let s=this.view.state,r=za(this.
view,i);return this.view.state==s&&(i.domChanged||t)&&this.view.update([]),r}readMutation(e){let t=this.view.docView.tile.nearest(e.target);if(!t||t.isWidget())
return null;if(t.markDirty(e.type=="attributes"),e.type=="childList"){let i=Ul(t,e.previousSibling||e.target.previousSibling,-1),s=Ul(t,e.nextSibling||e.target.
nextSibling,1);return{from:i?t.posAfter(i):t.posAtStart,to:s?t.posBefore(s):t.posAtEnd,typeOver:!1}}else return e.type=="characterData"?{from:t.posAtStart,to:t.
posAtEnd,typeOver:e.target.nodeValue==e.oldValue}:null}setWindow(e){e!=this.win&&(this.removeWindowListeners(this.win),this.win=e,this.addWindowListeners(this.win))}addWindowListeners(e){
e.addEventListener("resize",this.onResize),this.printQuery?this.printQuery.addEventListener?this.printQuery.addEventListener("change",this.onPrint):this.printQuery.
addListener(this.onPrint):e.addEventListener("beforeprint",this.onPrint),e.addEventListener("scroll",this.onScroll),e.document.addEventListener("selectionchange",
this.onSelectionChange)}removeWindowListeners(e){e.removeEventListener("scroll",this.onScroll),e.removeEventListener("resize",this.onResize),this.printQuery?this.
printQuery.removeEventListener?this.printQuery.removeEventListener("change",this.onPrint):this.printQuery.removeListener(this.onPrint):e.removeEventListener("be\
foreprint",this.onPrint),e.document.removeEventListener("selectionchange",this.onSelectionChange)}update(e){this.editContext&&(this.editContext.update(e),e.startState.
facet(tt)!=e.state.facet(tt)&&(e.view.contentDOM.editContext=e.state.facet(tt)?this.editContext.editContext:null))}destroy(){var e,t,i;this.stop(),(e=this.intersection)===
null||e===void 0||e.disconnect(),(t=this.gapIntersection)===null||t===void 0||t.disconnect(),(i=this.resizeScroll)===null||i===void 0||i.disconnect();for(let s of this.
scrollTargets)s.removeEventListener("scroll",this.onScroll);this.removeWindowListeners(this.win),clearTimeout(this.parentCheck),clearTimeout(this.resizeTimeout),
this.win.cancelAnimationFrame(this.delayedFlush),this.win.cancelAnimationFrame(this.flushingAndroidKey),this.editContext&&(this.view.contentDOM.editContext=null,
this.editContext.destroy())}};function Ul(n,e,t){for(;e;){let i=j.get(e);if(i&&i.parent==n)return i;let s=e.parentNode;e=s!=n.dom?s:t>0?e.nextSibling:e.previousSibling}
return null}function jl(n,e){let t=e.startContainer,i=e.startOffset,s=e.endContainer,r=e.endOffset,o=n.docView.domAtPos(n.state.selection.main.anchor,1);return Qi(
o.node,o.offset,s,r)&&([t,i,s,r]=[s,r,t,i]),{anchorNode:t,anchorOffset:i,focusNode:s,focusOffset:r}}function Tu(n,e){if(e.getComposedRanges){let s=e.getComposedRanges(
n.root)[0];if(s)return jl(n,s)}let t=null;function i(s){s.preventDefault(),s.stopImmediatePropagation(),t=s.getTargetRanges()[0]}return n.contentDOM.addEventListener(
"beforeinput",i,!0),n.dom.ownerDocument.execCommand("indent"),n.contentDOM.removeEventListener("beforeinput",i,!0),t?jl(n,t):null}var Mr=class{constructor(e){this.
from=0,this.to=0,this.pendingContextChange=null,this.handlers=Object.create(null),this.composing=null,this.resetRange(e.state);let t=this.editContext=new window.
EditContext({text:e.state.doc.sliceString(this.from,this.to),selectionStart:this.toContextPos(Math.max(this.from,Math.min(this.to,e.state.selection.main.anchor))),
selectionEnd:this.toContextPos(e.state.selection.main.head)});this.handlers.textupdate=i=>{let s=e.state.selection.main,{anchor:r,head:o}=s,l=this.toEditorPos(i.
updateRangeStart),a=this.toEditorPos(i.updateRangeEnd);e.inputState.composing>=0&&!this.composing&&(this.composing={contextBase:i.updateRangeStart,editorBase:l,
drifted:!1});let h=a-l>i.text.length;l==this.from&&r<this.from?l=r:a==this.to&&r>this.to&&(a=r);let f=Ia(e.state.sliceDoc(l,a),i.text,(h?s.from:s.to)-l,h?"end":
null);if(!f){let u=b.single(this.toEditorPos(i.selectionStart),this.toEditorPos(i.selectionEnd));mr(u,s)||e.dispatch({selection:u,userEvent:"select"});return}let c={
from:f.from+l,to:f.toA+l,insert:D.of(i.text.slice(f.from,f.toB).split(`
`))};if((w.mac||w.android)&&c.from==o-1&&/^\. ?$/.test(i.text)&&e.contentDOM.getAttribute("autocorrect")=="off"&&(c={from:l,to:a,insert:D.of([i.text.replace(".",
" ")])}),this.pendingContextChange=c,!e.state.readOnly){let u=this.to-this.from+(c.to-c.from+c.insert.length);Gr(e,c,b.single(this.toEditorPos(i.selectionStart,
u),this.toEditorPos(i.selectionEnd,u)))}this.pendingContextChange&&(this.revertPending(e.state),this.setSelection(e.state)),c.from<c.to&&!c.insert.length&&e.inputState.
composing>=0&&!/[\\p{Alphabetic}\\p{Number}_]/.test(t.text.slice(Math.max(0,i.updateRangeStart-1),Math.min(t.text.length,i.updateRangeStart+1)))&&this.handlers.
compositionend(i)},this.handlers.characterboundsupdate=i=>{let s=[],r=null;for(let o=this.toEditorPos(i.rangeStart),l=this.toEditorPos(i.rangeEnd);o<l;o++){let a=e.
coordsForChar(o);r=a&&new DOMRect(a.left,a.top,a.right-a.left,a.bottom-a.top)||r||new DOMRect,s.push(r)}t.updateCharacterBounds(i.rangeStart,s)},this.handlers.textformatupdate=
i=>{let s=[];for(let r of i.getTextFormats()){let o=r.underlineStyle,l=r.underlineThickness;if(!/none/i.test(o)&&!/none/i.test(l)){let a=this.toEditorPos(r.rangeStart),
h=this.toEditorPos(r.rangeEnd);if(a<h){let f=`text-decoration: underline ${/^[a-z]/.test(o)?o+" ":o=="Dashed"?"dashed ":o=="Squiggle"?"wavy ":""}${/thin/i.test(
l)?1:2}px`;s.push(W.mark({attributes:{style:f}}).range(a,h))}}}e.dispatch({effects:Pa.of(W.set(s))})},this.handlers.compositionstart=()=>{e.inputState.composing<
0&&(e.inputState.composing=0,e.inputState.compositionFirstChange=!0)},this.handlers.compositionend=()=>{if(e.inputState.composing=-1,e.inputState.compositionFirstChange=
null,this.composing){let{drifted:i}=this.composing;this.composing=null,i&&this.reset(e.state)}};for(let i in this.handlers)t.addEventListener(i,this.handlers[i]);
this.measureReq={read:i=>{let s=$i(i.root);s&&s.rangeCount&&this.editContext.updateSelectionBounds(s.getRangeAt(0).getBoundingClientRect())}}}applyEdits(e){let t=0,
i=!1,s=this.pendingContextChange;return e.changes.iterChanges((r,o,l,a,h)=>{if(i)return;let f=h.length-(o-r);if(s&&o>=s.to)if(s.from==r&&s.to==o&&s.insert.eq(h)){
s=this.pendingContextChange=null,t+=f,this.to+=f;return}else s=null,this.revertPending(e.state);if(r+=t,o+=t,o<=this.from)this.from+=f,this.to+=f;else if(r<this.
to){if(r<this.from||o>this.to||this.to-this.from+h.length>3e4){i=!0;return}this.editContext.updateText(this.toContextPos(r),this.toContextPos(o),h.toString()),this.
to+=f}t+=f}),s&&!i&&this.revertPending(e.state),!i}update(e){let t=this.pendingContextChange,i=e.startState.selection.main;this.composing&&(this.composing.drifted||
!e.changes.touchesRange(i.from,i.to)&&e.transactions.some(s=>!s.isUserEvent("input.type")&&s.changes.touchesRange(this.from,this.to)))?(this.composing.drifted=!0,
this.composing.editorBase=e.changes.mapPos(this.composing.editorBase)):!this.applyEdits(e)||!this.rangeIsValid(e.state)?(this.pendingContextChange=null,this.reset(
e.state)):(e.docChanged||e.selectionSet||t)&&this.setSelection(e.state),(e.geometryChanged||e.docChanged||e.selectionSet)&&e.view.requestMeasure(this.measureReq)}resetRange(e){
let{head:t}=e.selection.main;this.from=Math.max(0,t-1e4),this.to=Math.min(e.doc.length,t+1e4)}reset(e){this.resetRange(e),this.editContext.updateText(0,this.editContext.
text.length,e.doc.sliceString(this.from,this.to)),this.setSelection(e)}revertPending(e){let t=this.pendingContextChange;this.pendingContextChange=null,this.editContext.
updateText(this.toContextPos(t.from),this.toContextPos(t.from+t.insert.length),e.doc.sliceString(t.from,t.to))}setSelection(e){let{main:t}=e.selection,i=this.toContextPos(
Math.max(this.from,Math.min(this.to,t.anchor))),s=this.toContextPos(t.head);(this.editContext.selectionStart!=i||this.editContext.selectionEnd!=s)&&this.editContext.
updateSelection(i,s)}rangeIsValid(e){let{head:t}=e.selection.main;return!(this.from>0&&t-this.from<500||this.to<e.doc.length&&this.to-t<500||this.to-this.from>1e4*
3)}toEditorPos(e,t=this.to-this.from){e=Math.min(e,t);let i=this.composing;return i&&i.drifted?i.editorBase+(e-i.contextBase):e+this.from}toContextPos(e){let t=this.
composing;return t&&t.drifted?t.contextBase+(e-t.editorBase):e-this.from}destroy(){for(let e in this.handlers)this.editContext.removeEventListener(e,this.handlers[e])}},
P=class n{get state(){return this.viewState.state}get viewport(){return this.viewState.viewport}get visibleRanges(){return this.viewState.visibleRanges}get inView(){
return this.viewState.inView}get composing(){return!!this.inputState&&this.inputState.composing>0}get compositionStarted(){return!!this.inputState&&this.inputState.
composing>=0}get root(){return this._root}get win(){return this.dom.ownerDocument.defaultView||window}constructor(e={}){var t;this.plugins=[],this.pluginMap=new Map,
this.editorAttrs={},this.contentAttrs={},this.bidiCache=[],this.destroyed=!1,this.updateState=2,this.measureScheduled=-1,this.measureRequests=[],this.clearAnnouncement=
-1,this.contentDOM=document.createElement("div"),this.scrollDOM=document.createElement("div"),this.scrollDOM.tabIndex=-1,this.scrollDOM.className="cm-scroller",
this.scrollDOM.appendChild(this.contentDOM),this.announceDOM=document.createElement("div"),this.announceDOM.className="cm-announced",this.announceDOM.setAttribute(
"aria-live","polite"),this.dom=document.createElement("div"),this.dom.appendChild(this.announceDOM),this.dom.appendChild(this.scrollDOM),e.parent&&e.parent.appendChild(
this.dom);let{dispatch:i}=e;this.dispatchTransactions=e.dispatchTransactions||i&&(s=>s.forEach(r=>i(r,this)))||(s=>this.update(s)),this.dispatch=this.dispatch.bind(
this),this._root=e.root||yc(e.parent)||document,this.viewState=new $n(this,e.state||X.create(e)),e.scrollTo&&e.scrollTo.is(pn)&&(this.viewState.scrollTarget=e.scrollTo.
value.clip(this.viewState.state)),this.plugins=this.state.facet(Kt).map(s=>new Ai(s));for(let s of this.plugins)s.update(this);this.observer=new Rr(this),this.inputState=
new gr(this),this.inputState.ensureHandlers(this.plugins),this.docView=new En(this),this.mountStyles(),this.updateAttrs(),this.updateState=0,this.requestMeasure(),
!((t=document.fonts)===null||t===void 0)&&t.ready&&document.fonts.ready.then(()=>{this.viewState.mustMeasureContent="refresh",this.requestMeasure()})}dispatch(...e){
let t=e.length==1&&e[0]instanceof Z?e:e.length==1&&Array.isArray(e[0])?e[0]:[this.state.update(...e)];this.dispatchTransactions(t,this)}update(e){if(this.updateState!=
0)throw new Error("Calls to EditorView.update are not allowed while an update is in progress");let t=!1,i=!1,s,r=this.state;for(let u of e){if(u.startState!=r)throw new RangeError(
"Trying to update state with a transaction that doesn't start from the previous state.");r=u.state}if(this.destroyed){this.viewState.state=r;return}let o=this.hasFocus,
l=0,a=null;e.some(u=>u.annotation(Ha))?(this.inputState.notifiedFocused=o,l=1):o!=this.inputState.notifiedFocused&&(this.inputState.notifiedFocused=o,a=Ua(r,o),
a||(l=1));let h=this.observer.delayedAndroidKey,f=null;if(h?(this.observer.clearDelayedAndroidKey(),f=this.observer.readChange(),(f&&!this.state.doc.eq(r.doc)||
!this.state.selection.eq(r.selection))&&(f=null)):this.observer.clear(),r.facet(X.phrases)!=this.state.facet(X.phrases))return this.setState(r);s=Rn.create(this,
r,e),s.flags|=l;let c=this.viewState.scrollTarget;try{this.updateState=2;for(let u of e){if(c&&(c=c.map(u.changes)),u.scrollIntoView){let{main:d}=u.state.selection,
{x:p,y:m}=this.state.facet(n.cursorScrollMargin);c=new Pi(d.empty?d:b.cursor(d.head,d.head>d.anchor?-1:1),"nearest","nearest",m,p)}for(let d of u.effects)d.is(pn)&&
(c=d.value.clip(this.state))}this.viewState.update(s,c),this.bidiCache=Wn.update(this.bidiCache,s.changes),s.empty||(this.updatePlugins(s),this.inputState.update(
s)),t=this.docView.update(s),this.state.facet(vi)!=this.styleModules&&this.mountStyles(),i=this.updateAttrs(),this.showAnnouncements(e),this.docView.updateSelection(
t,e.some(u=>u.isUserEvent("select.pointer")))}finally{this.updateState=0}if(s.startState.facet(bn)!=s.state.facet(bn)&&(this.viewState.mustMeasureContent=!0),(t||
i||c||this.viewState.mustEnforceCursorAssoc||this.viewState.mustMeasureContent)&&this.requestMeasure(),t&&this.docViewUpdate(),!s.empty)for(let u of this.state.
facet(tr))try{u(s)}catch(d){Qe(this.state,d,"update listener")}(a||f)&&Promise.resolve().then(()=>{a&&this.state==a.startState&&this.dispatch(a),f&&!za(this,f)&&
h.force&&ii(this.contentDOM,h.key,h.keyCode)})}setState(e){if(this.updateState!=0)throw new Error("Calls to EditorView.setState are not allowed while an update \
is in progress");if(this.destroyed){this.viewState.state=e;return}this.updateState=2;let t=this.hasFocus;try{for(let i of this.plugins)i.destroy(this);this.viewState=
new $n(this,e),this.plugins=e.facet(Kt).map(i=>new Ai(i)),this.pluginMap.clear();for(let i of this.plugins)i.update(this);this.docView.destroy(),this.docView=new En(
this),this.inputState.ensureHandlers(this.plugins),this.mountStyles(),this.updateAttrs(),this.bidiCache=[]}finally{this.updateState=0}t&&this.focus(),this.requestMeasure()}updatePlugins(e){
let t=e.startState.facet(Kt),i=e.state.facet(Kt);if(t!=i){let s=[];for(let r of i){let o=t.indexOf(r);if(o<0)s.push(new Ai(r));else{let l=this.plugins[o];l.mustUpdate=
e,s.push(l)}}for(let r of this.plugins)r.mustUpdate!=e&&r.destroy(this);this.plugins=s,this.pluginMap.clear()}else for(let s of this.plugins)s.mustUpdate=e;for(let s=0;s<
this.plugins.length;s++)this.plugins[s].update(this);t!=i&&this.inputState.ensureHandlers(this.plugins)}docViewUpdate(){for(let e of this.plugins){let t=e.value;
if(t&&t.docViewUpdate)try{t.docViewUpdate(this)}catch(i){Qe(this.state,i,"doc view update listener")}}}measure(e=!0){if(this.destroyed)return;if(this.measureScheduled>
-1&&this.win.cancelAnimationFrame(this.measureScheduled),this.observer.delayedAndroidKey){this.measureScheduled=-1,this.requestMeasure();return}this.measureScheduled=
0,e&&this.observer.forceFlush();let t=null,i=this.viewState.scrollParent,s=this.viewState.getScrollOffset(),{scrollAnchorPos:r,scrollAnchorHeight:o,scaleY:l}=this.
viewState;Math.abs(s-this.viewState.scrollOffset)>1&&(o=-1),this.viewState.scrollAnchorHeight=-1;try{for(let a=0;;a++){if(o<0){if(ca(i||this.win))r=-1,o=this.viewState.
heightMap.height/this.viewState.scaleY;else{let p=this.viewState.scrollAnchorAt(s);r=p.from,o=p.top}l=this.viewState.scaleY}this.updateState=1;let h=this.viewState.
measure();if(!h&&!this.measureRequests.length&&this.viewState.scrollTarget==null)break;if(a>5){console.warn(this.measureRequests.length?"Measure loop restarted \
more than 5 times":"Viewport failed to stabilize");break}let f=[];h&4||([this.measureRequests,f]=[f,this.measureRequests]);let c=f.map(p=>{try{return p.read(this)}catch(m){
return Qe(this.state,m),Gl}}),u=Rn.create(this,this.state,[]),d=!1;u.flags|=h,t?t.flags|=h:t=u,this.updateState=2,u.empty||(this.updatePlugins(u),this.inputState.
update(u),this.updateAttrs(),d=this.docView.update(u),d&&this.docViewUpdate());for(let p=0;p<f.length;p++)if(c[p]!=Gl)try{let m=f[p];m.write&&m.write(c[p],this)}catch(m){
Qe(this.state,m)}if(d&&this.docView.updateSelection(!0),!u.viewportChanged&&this.measureRequests.length==0){if(this.viewState.editorHeight)if(this.viewState.scrollTarget){
this.docView.scrollIntoView(this.viewState.scrollTarget),this.viewState.scrollTarget=null,o=-1;continue}else{let m=(r<0?this.viewState.heightMap.height:this.viewState.
lineBlockAt(r).top)/this.viewState.scaleY-o/l;if((m>1||m<-1)&&!(w.ios&&this.inputState.lastIOSMomentumScroll>Date.now()-100)&&(i==this.scrollDOM||this.hasFocus||
Math.max(this.inputState.lastWheelEvent,this.inputState.lastTouchTime)>Date.now()-100)){s=s+m,i?r<0?i.scrollTop=i.scrollHeight:i.scrollTop+=m:this.win.scrollBy(
0,m),o=-1;continue}}break}}}finally{this.updateState=0,this.measureScheduled=-1}if(t&&!t.empty)for(let a of this.state.facet(tr))a(t)}get themeClasses(){return Pr+
" "+(this.state.facet(Qr)?Za:Ga)+" "+this.state.facet(bn)}updateAttrs(){let e=Zl(this,Aa,{class:"cm-editor"+(this.hasFocus?" cm-focused ":" ")+this.themeClasses}),
t={spellcheck:"false",autocorrect:"off",autocapitalize:"off",writingsuggestions:"false",translate:"no",contenteditable:this.state.facet(tt)?"true":"false",class:"\
cm-content",style:`${w.tabSize}: ${this.state.tabSize}`,role:"textbox","aria-multiline":"true"};this.state.readOnly&&(t["aria-readonly"]="true"),Zl(this,Ur,t);let i=this.
observer.ignore(()=>{let s=Al(this.contentDOM,this.contentAttrs,t),r=Al(this.dom,this.editorAttrs,e);return s||r});return this.editorAttrs=e,this.contentAttrs=t,
i}showAnnouncements(e){let t=!0;for(let i of e)for(let s of i.effects)if(s.is(n.announce)){t&&(this.announceDOM.textContent="",this.win.clearTimeout(this.clearAnnouncement),
this.clearAnnouncement=this.win.setTimeout(()=>{this.announceDOM.textContent="\xA0"},200),t=!1);let r=this.announceDOM.appendChild(document.createElement("div"));
r.textContent=s.value}}mountStyles(){this.styleModules=this.state.facet(vi);let e=this.state.facet(n.cspNonce);we.mount(this.root,this.styleModules.concat(wu).reverse(),
e?{nonce:e}:void 0)}readMeasured(){if(this.updateState==2)throw new Error("Reading the editor layout isn't allowed during an update");this.updateState==0&&this.
measureScheduled>-1&&this.measure(!1)}requestMeasure(e){if(this.measureScheduled<0&&(this.measureScheduled=this.win.requestAnimationFrame(()=>this.measure())),e){
if(this.measureRequests.indexOf(e)>-1)return;if(e.key!=null){for(let t=0;t<this.measureRequests.length;t++)if(this.measureRequests[t].key===e.key){this.measureRequests[t]=
e;return}}this.measureRequests.push(e)}}plugin(e){let t=this.pluginMap.get(e);return(t===void 0||t&&t.plugin!=e)&&this.pluginMap.set(e,t=this.plugins.find(i=>i.
plugin==e)||null),t&&t.update(this).value}get documentTop(){return this.contentDOM.getBoundingClientRect().top+this.viewState.paddingTop}get documentPadding(){return{
top:this.viewState.paddingTop,bottom:this.viewState.paddingBottom}}get scaleX(){return this.viewState.scaleX}get scaleY(){return this.viewState.scaleY}elementAtHeight(e){
return this.readMeasured(),this.viewState.elementAtHeight(e)}lineBlockAtHeight(e){return this.readMeasured(),this.viewState.lineBlockAtHeight(e)}get viewportLineBlocks(){
return this.viewState.viewportLines}lineBlockAt(e){return this.viewState.lineBlockAt(e)}get contentHeight(){return this.viewState.contentHeight}moveByChar(e,t,i){
return Ns(this,e,ql(this,e,t,i))}moveByGroup(e,t){return Ns(this,e,ql(this,e,t,i=>Uc(this,e.head,i)))}visualLineSide(e,t){return t?b.cursor(e.to,1):b.cursor(e.from,
-1)}moveToLineBoundary(e,t,i=!0){return Hc(this,e,t,i)}moveVertically(e,t,i){return Ns(this,e,jc(this,e,t,i))}domAtPos(e,t=1){return this.docView.domAtPos(e,t)}posAtDOM(e,t=0){
return this.docView.posFromDOM(e,t)}posAtCoords(e,t=!0){this.readMeasured();let i=cr(this,e,t);return i&&i.pos}posAndSideAtCoords(e,t=!0){return this.readMeasured(),
cr(this,e,t)}coordsAtPos(e,t=1){this.readMeasured();let i=this.state.doc.lineAt(e),s=this.bidiSpans(i),r=s[Ce.find(s,e-i.from,-1,t)];return i.length&&(e==i.from&&
t<0||e==i.to&&t>0)&&r.dir!=this.textDirectionAt(i.from)&&(e==i.to?(e=i.from+r.from,t=1):(e=i.from+r.to,t=-1)),this.docView.coordsAt(e,t,r.dir==N.RTL)}coordsForChar(e){
return this.readMeasured(),this.docView.coordsForChar(e)}get defaultCharacterWidth(){return this.viewState.heightOracle.charWidth}get defaultLineHeight(){return this.
viewState.heightOracle.lineHeight}get textDirection(){return this.viewState.defaultTextDirection}textDirectionAt(e){return!this.state.facet(Ta)||e<this.viewport.
from||e>this.viewport.to?this.textDirection:(this.readMeasured(),this.docView.textDirectionAt(e))}get lineWrapping(){return this.viewState.heightOracle.lineWrapping}bidiSpans(e){
if(e.length>Cu)return Oa(e.length);let t=this.textDirectionAt(e.from),i;for(let r of this.bidiCache)if(r.from==e.from&&r.dir==t&&(r.fresh||ga(r.isolates,i=El(this,
e))))return r.order;i||(i=El(this,e));let s=Cc(e.text,t,i);return this.bidiCache.push(new Wn(e.from,e.to,t,i,!0,s)),s}get hasFocus(){var e;return(this.dom.ownerDocument.
hasFocus()||w.safari&&((e=this.inputState)===null||e===void 0?void 0:e.lastContextMenu)>Date.now()-3e4)&&this.root.activeElement==this.contentDOM}focus(){this.observer.
ignore(()=>{fa(this.contentDOM),this.docView.updateSelection()})}setRoot(e){this._root!=e&&(this._root=e,this.observer.setWindow((e.nodeType==9?e:e.ownerDocument).
defaultView||window),this.mountStyles())}destroy(){this.root.activeElement==this.contentDOM&&this.contentDOM.blur();for(let e of this.plugins)e.destroy(this);this.
plugins=[],this.inputState.destroy(),this.docView.destroy(),this.dom.remove(),this.observer.destroy(),this.win.clearTimeout(this.clearAnnouncement),this.measureScheduled>
-1&&this.win.cancelAnimationFrame(this.measureScheduled),this.destroyed=!0}static scrollIntoView(e,t={}){var i,s,r,o;return pn.of(new Pi(typeof e=="number"?b.cursor(
e):e,(i=t.y)!==null&&i!==void 0?i:"nearest",(s=t.x)!==null&&s!==void 0?s:"nearest",(r=t.yMargin)!==null&&r!==void 0?r:5,(o=t.xMargin)!==null&&o!==void 0?o:5))}scrollSnapshot(){
let{scrollTop:e,scrollLeft:t}=this.scrollDOM,i=this.viewState.scrollAnchorAt(e);return pn.of(new Pi(b.cursor(i.from),"start","start",i.top-e,t,!0))}setTabFocusMode(e){
e==null?this.inputState.tabFocusMode=this.inputState.tabFocusMode<0?0:-1:typeof e=="boolean"?this.inputState.tabFocusMode=e?0:-1:this.inputState.tabFocusMode!=0&&
(this.inputState.tabFocusMode=Date.now()+e)}static domEventHandlers(e){return qe.define(()=>({}),{eventHandlers:e})}static domEventObservers(e){return qe.define(
()=>({}),{eventObservers:e})}static theme(e,t){let i=we.newName(),s=[bn.of(i),vi.of(Ar(`.${i}`,e))];return t&&t.dark&&s.push(Qr.of(!0)),s}static baseTheme(e){return ft.
lowest(vi.of(Ar("."+Pr,e,Ya)))}static findFromDOM(e){var t;let i=e.querySelector(".cm-content"),s=i&&j.get(i)||j.get(e);return((t=s?.root)===null||t===void 0?void 0:
t.view)||null}};P.styleModule=vi;P.inputHandler=wa;P.clipboardInputFilter=_r;P.clipboardOutputFilter=Hr;P.scrollHandler=Qa;P.focusChangeEffect=va;P.perLineTextDirection=
Ta;P.exceptionSink=ka;P.updateListener=tr;P.editable=tt;P.mouseSelectionStyle=Sa;P.dragMovesSelection=xa;P.clickAddsSelectionRange=ba;P.decorations=Nn;P.blockWrappers=
Ra;P.outerDecorations=jr;P.atomicRanges=Li;P.bidiIsolatedRanges=Ma;P.cursorScrollMargin=Q.define({combine:n=>{let e=5,t=5;for(let i of n)typeof i=="number"?e=t=
i:{x:e,y:t}=i;return{x:e,y:t}}});P.scrollMargins=Da;P.darkTheme=Qr;P.cspNonce=Q.define({combine:n=>n.length?n[0]:""});P.contentAttributes=Ur;P.editorAttributes=
Aa;P.lineWrapping=P.contentAttributes.of({class:"cm-lineWrapping"});P.announce=I.define();var Cu=4096,Gl={},Wn=class n{constructor(e,t,i,s,r,o){this.from=e,this.
to=t,this.dir=i,this.isolates=s,this.fresh=r,this.order=o}static update(e,t){if(t.empty&&!e.some(r=>r.fresh))return e;let i=[],s=e.length?e[e.length-1].dir:N.LTR;
for(let r=Math.max(0,e.length-10);r<e.length;r++){let o=e[r];o.dir==s&&!t.touchesRange(o.from,o.to)&&i.push(new n(t.mapPos(o.from,1),t.mapPos(o.to,-1),o.dir,o.isolates,
!1,o.order))}return i}};function Zl(n,e,t){for(let i=n.state.facet(e),s=i.length-1;s>=0;s--){let r=i[s],o=typeof r=="function"?r(n):r;o&&Vr(o,t)}return t}var Qu=w.
mac?"mac":w.windows?"win":w.linux?"linux":"key";function Pu(n,e){let t=n.split(/-(?!$)/),i=t[t.length-1];i=="Space"&&(i=" ");let s,r,o,l;for(let a=0;a<t.length-
1;++a){let h=t[a];if(/^(cmd|meta|m)$/i.test(h))l=!0;else if(/^a(lt)?$/i.test(h))s=!0;else if(/^(c|ctrl|control)$/i.test(h))r=!0;else if(/^s(hift)?$/i.test(h))o=
!0;else if(/^mod$/i.test(h))e=="mac"?l=!0:r=!0;else throw new Error("Unrecognized modifier name: "+h)}return s&&(i="Alt-"+i),r&&(i="Ctrl-"+i),l&&(i="Meta-"+i),o&&
(i="Shift-"+i),i}function xn(n,e,t){return e.altKey&&(n="Alt-"+n),e.ctrlKey&&(n="Ctrl-"+n),e.metaKey&&(n="Meta-"+n),t!==!1&&e.shiftKey&&(n="Shift-"+n),n}var Au=ft.
default(P.domEventHandlers({keydown(n,e){return Du(Ru(e.state),n,e,"editor")}})),zi=Q.define({enables:Au}),Yl=new WeakMap;function Ru(n){let e=n.facet(zi),t=Yl.
get(e);return t||Yl.set(e,t=Eu(e.reduce((i,s)=>i.concat(s),[]))),t}var dt=null,Mu=4e3;function Eu(n,e=Qu){let t=Object.create(null),i=Object.create(null),s=(o,l)=>{let a=i[o];if(a==null)i[o]=l;else if(a!=l)throw new Error("Key \
binding "+o+" is used both as a regular binding and as a multi-stroke prefix")},r=(o,l,a,h,f)=>{var c,u;let d=t[o]||(t[o]=Object.create(null)),p=l.split(/ (?!$)/).
map(y=>Pu(y,e));for(let y=1;y<p.length;y++){let C=p.slice(0,y).join(" ");s(C,!0),d[C]||(d[C]={preventDefault:!0,stopPropagation:!1,run:[k=>{let R=dt={view:k,prefix:C,
scope:o};return setTimeout(()=>{dt==R&&(dt=null)},Mu),!0}]})}let m=p.join(" ");s(m,!1);let g=d[m]||(d[m]={preventDefault:!1,stopPropagation:!1,run:((u=(c=d._any)===
null||c===void 0?void 0:c.run)===null||u===void 0?void 0:u.slice())||[]});a&&g.run.push(a),h&&(g.preventDefault=!0),f&&(g.stopPropagation=!0)};for(let o of n){let l=o.
scope?o.scope.split(" "):["editor"];if(o.any)for(let h of l){let f=t[h]||(t[h]=Object.create(null));f._any||(f._any={preventDefault:!1,stopPropagation:!1,run:[]});
let{any:c}=o;for(let u in f)f[u].run.push(d=>c(d,Er))}let a=o[e]||o.key;if(a)for(let h of l)r(h,a,o.run,o.preventDefault,o.stopPropagation),o.shift&&r(h,"Shift-"+
a,o.shift,o.preventDefault,o.stopPropagation)}return t}var Er=null;function Du(n,e,t,i){Er=e;let s=Tl(e),r=un(s,0),o=Es(r)==s.length&&s!=" ",l="",a=!1,h=!1,f=!1;
dt&&dt.view==t&&dt.scope==i&&(l=dt.prefix+" ",Va.indexOf(e.keyCode)<0&&(h=!0,dt=null));let c=new Set,u=g=>{if(g){for(let y of g.run)if(!c.has(y)&&(c.add(y),y(t)))
return g.stopPropagation&&(f=!0),!0;g.preventDefault&&(g.stopPropagation&&(f=!0),h=!0)}return!1},d=n[i],p,m;return d&&(u(d[l+xn(s,e,!o)])?a=!0:o&&(e.altKey||e.metaKey||
e.ctrlKey)&&!(w.windows&&e.ctrlKey&&e.altKey)&&!(w.mac&&e.altKey&&!(e.ctrlKey||e.metaKey))&&(p=et[e.keyCode])&&p!=s?(u(d[l+xn(p,e,!0)])||e.shiftKey&&(m=Zt[e.keyCode])!=
s&&m!=p&&u(d[l+xn(m,e,!1)]))&&(a=!0):o&&e.shiftKey&&u(d[l+xn(s,e,!0)])&&(a=!0),!a&&u(d._any)&&(a=!0)),h&&(a=!0),a&&f&&e.stopPropagation(),Er=null,a}var Rt=class n{constructor(e,t,i,s,r){
this.className=e,this.left=t,this.top=i,this.width=s,this.height=r}draw(){let e=document.createElement("div");return e.className=this.className,this.adjust(e),e}update(e,t){
return t.className!=this.className?!1:(this.adjust(e),!0)}adjust(e){e.style.left=this.left+"px",e.style.top=this.top+"px",this.width!=null&&(e.style.width=this.
width+"px"),e.style.height=this.height+"px"}eq(e){return this.left==e.left&&this.top==e.top&&this.width==e.width&&this.height==e.height&&this.className==e.className}static forRange(e,t,i){
if(i.empty){let s=e.coordsAtPos(i.head,i.assoc||1);if(!s)return[];let r=Ka(e);return[new n(t,s.left-r.left,s.top-r.top,null,s.bottom-s.top)]}else return Bu(e,t,
i)}};function Ka(n){let e=n.scrollDOM.getBoundingClientRect();return{left:(n.textDirection==N.LTR?e.left:e.right-n.scrollDOM.clientWidth*n.scaleX)-n.scrollDOM.scrollLeft*
n.scaleX,top:e.top-n.scrollDOM.scrollTop*n.scaleY}}function Kl(n,e,t,i){let s=n.coordsAtPos(e,t*2);if(!s)return i;let r=n.dom.getBoundingClientRect(),o=(s.top+s.
bottom)/2,l=n.posAtCoords({x:r.left+1,y:o}),a=n.posAtCoords({x:r.right-1,y:o});return l==null||a==null?i:{from:Math.max(i.from,Math.min(l,a)),to:Math.min(i.to,Math.
max(l,a))}}function Bu(n,e,t){if(t.to<=n.viewport.from||t.from>=n.viewport.to)return[];let i=Math.max(t.from,n.viewport.from),s=Math.min(t.to,n.viewport.to),r=n.
textDirection==N.LTR,o=n.contentDOM,l=o.getBoundingClientRect(),a=Ka(n),h=o.querySelector(".cm-line"),f=h&&window.getComputedStyle(h),c=l.left+(f?parseInt(f.paddingLeft)+
Math.min(0,parseInt(f.textIndent)):0),u=l.right-(f?parseInt(f.paddingRight):0),d=fr(n,i,1),p=fr(n,s,-1),m=d.type==ie.Text?d:null,g=p.type==ie.Text?p:null;if(m&&
(n.lineWrapping||d.widgetLineBreaks)&&(m=Kl(n,i,1,m)),g&&(n.lineWrapping||p.widgetLineBreaks)&&(g=Kl(n,s,-1,g)),m&&g&&m.from==g.from&&m.to==g.to)return C(k(t.from,
t.to,m));{let x=m?k(t.from,null,m):R(d,!1),v=g?k(null,t.to,g):R(p,!0),T=[];return(m||d).to<(g||p).from-(m&&g?1:0)||d.widgetLineBreaks>1&&x.bottom+n.defaultLineHeight/
2<v.top?T.push(y(c,x.bottom,u,v.top)):x.bottom<v.top&&n.elementAtHeight((x.bottom+v.top)/2).type==ie.Text&&(x.bottom=v.top=(x.bottom+v.top)/2),C(x).concat(T).concat(
C(v))}function y(x,v,T,q){return new Rt(e,x-a.left,v-a.top,Math.max(0,T-x),q-v)}function C({top:x,bottom:v,horizontal:T}){let q=[];for(let B=0;B<T.length;B+=2)q.
push(y(T[B],x,T[B+1],v));return q}function k(x,v,T){let q=1e9,B=-1e9,V=[];function E($,U,ne,pe,Ne){let ee=n.coordsAtPos($,$==T.to?-2:2),xe=n.coordsAtPos(ne,ne==
T.from?2:-2);!ee||!xe||(q=Math.min(ee.top,xe.top,q),B=Math.max(ee.bottom,xe.bottom,B),Ne==N.LTR?V.push(r&&U?c:ee.left,r&&pe?u:xe.right):V.push(!r&&pe?c:xe.left,
!r&&U?u:ee.right))}let A=x??T.from,L=v??T.to;for(let $ of n.visibleRanges)if($.to>A&&$.from<L)for(let U=Math.max($.from,A),ne=Math.min($.to,L);;){let pe=n.state.
doc.lineAt(U);for(let Ne of n.bidiSpans(pe)){let ee=Ne.from+pe.from,xe=Ne.to+pe.from;if(ee>=ne)break;xe>U&&E(Math.max(ee,U),x==null&&ee<=A,Math.min(xe,ne),v==null&&
xe>=L,Ne.dir)}if(U=pe.to+1,U>=ne)break}return V.length==0&&E(A,x==null,L,v==null,n.textDirection),{top:q,bottom:B,horizontal:V}}function R(x,v){let T=l.top+(v?x.
top:x.bottom);return{top:T,bottom:T,horizontal:[]}}}function qu(n,e){return n.constructor==e.constructor&&n.eq(e)}var Dr=class{constructor(e,t){this.view=e,this.
layer=t,this.drawn=[],this.scaleX=1,this.scaleY=1,this.measureReq={read:this.measure.bind(this),write:this.draw.bind(this)},this.dom=e.scrollDOM.appendChild(document.
createElement("div")),this.dom.classList.add("cm-layer"),t.above&&this.dom.classList.add("cm-layer-above"),t.class&&this.dom.classList.add(t.class),this.scale(),
this.dom.setAttribute("aria-hidden","true"),this.setOrder(e.state),e.requestMeasure(this.measureReq),t.mount&&t.mount(this.dom,e)}update(e){e.startState.facet(wn)!=
e.state.facet(wn)&&this.setOrder(e.state),(this.layer.update(e,this.dom)||e.geometryChanged)&&(this.scale(),e.view.requestMeasure(this.measureReq))}docViewUpdate(e){
this.layer.updateOnDocViewUpdate!==!1&&e.requestMeasure(this.measureReq)}setOrder(e){let t=0,i=e.facet(wn);for(;t<i.length&&i[t]!=this.layer;)t++;this.dom.style.
zIndex=String((this.layer.above?150:-1)-t)}measure(){return this.layer.markers(this.view)}scale(){let{scaleX:e,scaleY:t}=this.view;(e!=this.scaleX||t!=this.scaleY)&&
(this.scaleX=e,this.scaleY=t,this.dom.style.transform=`scale(${1/e}, ${1/t})`)}draw(e){if(e.length!=this.drawn.length||e.some((t,i)=>!qu(t,this.drawn[i]))){let t=this.
dom.firstChild,i=0;for(let s of e)s.update&&t&&s.constructor&&this.drawn[i].constructor&&s.update(t,this.drawn[i])?(t=t.nextSibling,i++):this.dom.insertBefore(s.
draw(),t);for(;t;){let s=t.nextSibling;t.remove(),t=s}this.drawn=e,w.webkit&&(this.dom.style.display=this.dom.firstChild?"":"none")}}destroy(){this.layer.destroy&&
this.layer.destroy(this.dom,this.view),this.dom.remove()}},wn=Q.define();function Ja(n){return[qe.define(e=>new Dr(e,n)),wn.of(n)]}var Br=!w.ios,fi=Q.define({combine(n){
return ct(n,{cursorBlinkRate:1200,drawRangeCursor:!0,iosSelectionHandles:!0},{cursorBlinkRate:(e,t)=>Math.min(e,t),drawRangeCursor:(e,t)=>e||t})}});function eh(n={}){
return[fi.of(n),$u,Wu,zu,Ca.of(!0)]}function th(n){return n.startState.facet(fi)!=n.state.facet(fi)}var $u=Ja({above:!0,markers(n){let{state:e}=n,t=e.facet(fi),i=[];for(let s of e.selection.ranges){
let r=s==e.selection.main;if(s.empty||t.drawRangeCursor&&!(r&&w.ios&&t.iosSelectionHandles)){let o=r?"cm-cursor cm-cursor-primary":"cm-cursor cm-cursor-secondar\
y",l=s.empty?s:b.cursor(s.head,s.assoc);for(let a of Rt.forRange(n,o,l))i.push(a)}}return i},update(n,e){n.transactions.some(i=>i.selection)&&(e.style.animationName=
e.style.animationName=="cm-blink"?"cm-blink2":"cm-blink");let t=th(n);return t&&Jl(n.state,e),n.docChanged||n.selectionSet||t},mount(n,e){Jl(e.state,n)},class:"\
cm-cursorLayer"});function Jl(n,e){e.style.animationDuration=n.facet(fi).cursorBlinkRate+"ms"}var Wu=Ja({above:!1,markers(n){let e=[],{main:t,ranges:i}=n.state.
selection;for(let s of i)if(!s.empty&&(Br||s!=t))for(let r of Rt.forRange(n,"cm-selectionBackground",s))e.push(r);if(w.ios&&!t.empty&&n.state.facet(fi).iosSelectionHandles){
for(let s of Rt.forRange(n,"cm-selectionHandle cm-selectionHandle-start",b.cursor(t.from,1)))e.push(s);for(let s of Rt.forRange(n,"cm-selectionHandle cm-selecti\
onHandle-end",b.cursor(t.to,1)))e.push(s)}return e},update(n,e){return n.docChanged||n.selectionSet||n.viewportChanged||th(n)},class:"cm-selectionLayer"}),Lu=w.
gecko&&w.gecko_version==153?"#ffffff01":"transparent",zu=ft.highest(P.theme({".cm-line":{...Br?{"& ::selection, &::selection":{backgroundColor:`${Lu} !important`}}:
{},caretColor:"transparent !important"},".cm-content":{caretColor:"transparent !important","& :focus":{caretColor:"initial !important",...Br?{"&::selection, & :\
:selection":{backgroundColor:"Highlight !important"}}:{}}}}));function ea(n,e,t,i,s){e.lastIndex=0;for(let r=n.iterRange(t,i),o=t,l;!r.next().done;o+=r.value.length)if(!r.lineBreak)for(;l=e.exec(r.value);)s(o+l.index,l)}function Iu(n,e){
let t=n.visibleRanges;if(t.length==1&&t[0].from==n.viewport.from&&t[0].to==n.viewport.to)return t;let i=[];for(let{from:s,to:r}of t)s=Math.max(n.state.doc.lineAt(
s).from,s-e),r=Math.min(n.state.doc.lineAt(r).to,r+e),i.length&&i[i.length-1].to>=s?i[i.length-1].to=r:i.push({from:s,to:r});return i}var qr=class{constructor(e){
let{regexp:t,decoration:i,decorate:s,boundary:r,maxLength:o=1e3}=e;if(!t.global)throw new RangeError("The regular expression given to MatchDecorator should have\
 its 'g' flag set");if(this.regexp=t,s)this.addMatch=(l,a,h,f)=>s(f,h,h+l[0].length,l,a);else if(typeof i=="function")this.addMatch=(l,a,h,f)=>{let c=i(l,a,h);c&&
f(h,h+l[0].length,c)};else if(i)this.addMatch=(l,a,h,f)=>f(h,h+l[0].length,i);else throw new RangeError("Either 'decorate' or 'decoration' should be provided to\
 MatchDecorator");this.boundary=r,this.maxLength=o}createDeco(e){let t=new Je,i=t.add.bind(t);for(let{from:s,to:r}of Iu(e,this.maxLength))ea(e.state.doc,this.regexp,
s,r,(o,l)=>this.addMatch(l,e,o,i));return t.finish()}updateDeco(e,t){let i=1e9,s=-1;return e.docChanged&&e.changes.iterChanges((r,o,l,a)=>{a>=e.view.viewport.from&&
l<=e.view.viewport.to&&(i=Math.min(l,i),s=Math.max(a,s))}),e.viewportMoved||s-i>1e3?this.createDeco(e.view):s>-1?this.updateRange(e.view,t.map(e.changes),i,s):t}updateRange(e,t,i,s){
for(let r of e.visibleRanges){let o=Math.max(r.from,i),l=Math.min(r.to,s);if(l>=o){let a=e.state.doc.lineAt(o),h=a.to<l?e.state.doc.lineAt(l):a,f=Math.max(r.from,
a.from),c=Math.min(r.to,h.to);if(this.boundary){for(;o>a.from;o--)if(this.boundary.test(a.text[o-1-a.from])){f=o;break}for(;l<h.to;l++)if(this.boundary.test(h.text[l-
h.from])){c=l;break}}let u=[],d,p=(m,g,y)=>u.push(y.range(m,g));if(a==h)for(this.regexp.lastIndex=f-a.from;(d=this.regexp.exec(a.text))&&d.index<c-a.from;)this.
addMatch(d,e,d.index+a.from,p);else ea(e.state.doc,this.regexp,f,c,(m,g)=>this.addMatch(g,e,m,p));t=t.update({filterFrom:f,filterTo:c,filter:(m,g)=>m<f||g>c,add:u})}}
return t}},$r=/x/.unicode!=null?"gu":"g",Nu=new RegExp(`[\0-\b
-\x7F-\x9F\xAD\u061C\u200B\u200E\u200F\u2028\u2029\u202D\u202E\u2066\u2067\u2069\uFEFF\uFFF9-\uFFFC]`,$r),Vu={0:"null",7:"bell",8:"backspace",10:"newline",11:"\
vertical tab",13:"carriage return",27:"escape",8203:"zero width space",8204:"zero width non-joiner",8205:"zero width joiner",8206:"left-to-right mark",8207:"rig\
ht-to-left mark",8232:"line separator",8237:"left-to-right override",8238:"right-to-left override",8294:"left-to-right isolate",8295:"right-to-left isolate",8297:"\
pop directional isolate",8233:"paragraph separator",65279:"zero width no-break space",65532:"object replacement"},Xs=null;function Xu(){var n;if(Xs==null&&typeof document<
"u"&&document.body){let e=document.body.style;Xs=((n=e.tabSize)!==null&&n!==void 0?n:e.MozTabSize)!=null}return Xs||!1}var vn=Q.define({combine(n){let e=ct(n,{render:null,
specialChars:Nu,addSpecialChars:null});return(e.replaceTabs=!Xu())&&(e.specialChars=new RegExp("	|"+e.specialChars.source,$r)),e.addSpecialChars&&(e.specialChars=
new RegExp(e.specialChars.source+"|"+e.addSpecialChars.source,$r)),e}});function ih(n={}){return[vn.of(n),Fu()]}var ta=null;function Fu(){return ta||(ta=qe.fromClass(
class{constructor(n){this.view=n,this.decorations=W.none,this.decorationCache=Object.create(null),this.decorator=this.makeDecorator(n.state.facet(vn)),this.decorations=
this.decorator.createDeco(n)}makeDecorator(n){return new qr({regexp:n.specialChars,decoration:(e,t,i)=>{let{doc:s}=t.state,r=un(e[0],0);if(r==9){let o=s.lineAt(
i),l=t.state.tabSize,a=ut(o.text,l,i-o.from);return W.replace({widget:new Lr((l-a%l)*this.view.defaultCharacterWidth/this.view.scaleX)})}return this.decorationCache[r]||
(this.decorationCache[r]=W.replace({widget:new Wr(n,r)}))},boundary:n.replaceTabs?void 0:/[^]/})}update(n){let e=n.state.facet(vn);n.startState.facet(vn)!=e?(this.
decorator=this.makeDecorator(e),this.decorations=this.decorator.createDeco(n.view)):this.decorations=this.decorator.updateDeco(n,this.decorations)}},{decorations:n=>n.
decorations}))}var _u="\u2022";function Hu(n){return n>=32?_u:n==10?"\u2424":String.fromCharCode(9216+n)}var Wr=class extends Be{constructor(e,t){super(),this.options=
e,this.code=t}eq(e){return e.code==this.code}toDOM(e){let t=Hu(this.code),i=e.state.phrase("Control character")+" "+(Vu[this.code]||"0x"+this.code.toString(16)),
s=this.options.render&&this.options.render(this.code,i,t);if(s)return s;let r=document.createElement("span");return r.textContent=t,r.title=i,r.setAttribute("ar\
ia-label",i),r.className="cm-specialChar",r}ignoreEvent(){return!1}},Lr=class extends Be{constructor(e){super(),this.width=e}eq(e){return e.width==this.width}toDOM(){
let e=document.createElement("span");return e.textContent="	",e.className="cm-tab",e.style.width=this.width+"px",e}ignoreEvent(){return!1}};var _e=class extends ke{compare(e){return this==e||this.constructor==e.constructor&&this.eq(e)}eq(e){return!1}destroy(e){}};_e.prototype.elementClass="";_e.prototype.
toDOM=void 0;_e.prototype.mapMode=te.TrackBefore;_e.prototype.startSide=_e.prototype.endSide=-1;_e.prototype.point=!0;var Fs=Q.define(),Uu=Q.define();var Tn=Q.define();var zr=Q.define({combine:n=>n.some(e=>e)});function ju(n){let e=[Gu];return n&&n.fixed===!1&&e.push(zr.of(!0)),e}var Gu=qe.fromClass(class{constructor(n){this.view=
n,this.domAfter=null,this.prevViewport=n.viewport,this.dom=document.createElement("div"),this.dom.className="cm-gutters cm-gutters-before",this.dom.setAttribute(
"aria-hidden","true"),this.dom.style.minHeight=this.view.contentHeight/this.view.scaleY+"px",this.gutters=n.state.facet(Tn).map(e=>new Ln(n,e)),this.fixed=!n.state.
facet(zr);for(let e of this.gutters)e.config.side=="after"?this.getDOMAfter().appendChild(e.dom):this.dom.appendChild(e.dom);this.fixed&&(this.dom.style.position=
"sticky"),this.syncGutters(!1),n.scrollDOM.insertBefore(this.dom,n.contentDOM)}getDOMAfter(){return this.domAfter||(this.domAfter=document.createElement("div"),
this.domAfter.className="cm-gutters cm-gutters-after",this.domAfter.setAttribute("aria-hidden","true"),this.domAfter.style.minHeight=this.view.contentHeight/this.
view.scaleY+"px",this.domAfter.style.position=this.fixed?"sticky":"",this.view.scrollDOM.appendChild(this.domAfter)),this.domAfter}update(n){if(this.updateGutters(
n)){let e=this.prevViewport,t=n.view.viewport,i=Math.min(e.to,t.to)-Math.max(e.from,t.from);this.syncGutters(i<(t.to-t.from)*.8)}if(n.geometryChanged){let e=this.
view.contentHeight/this.view.scaleY+"px";this.dom.style.minHeight=e,this.domAfter&&(this.domAfter.style.minHeight=e)}this.view.state.facet(zr)!=!this.fixed&&(this.
fixed=!this.fixed,this.dom.style.position=this.fixed?"sticky":"",this.domAfter&&(this.domAfter.style.position=this.fixed?"sticky":"")),this.prevViewport=n.view.
viewport}syncGutters(n){let e=this.dom.nextSibling;n&&(this.dom.remove(),this.domAfter&&this.domAfter.remove());let t=z.iter(this.view.state.facet(Fs),this.view.
viewport.from),i=[],s=this.gutters.map(r=>new Nr(r,this.view.viewport,-this.view.documentPadding.top));for(let r of this.view.viewportLineBlocks)if(i.length&&(i=
[]),Array.isArray(r.type)){let o=!0;for(let l of r.type)if(l.type==ie.Text&&o){Ir(t,i,l.from);for(let a of s)a.line(this.view,l,i);o=!1}else if(l.widget)for(let a of s)
a.widget(this.view,l)}else if(r.type==ie.Text){Ir(t,i,r.from);for(let o of s)o.line(this.view,r,i)}else if(r.widget)for(let o of s)o.widget(this.view,r);for(let r of s)
r.finish();n&&(this.view.scrollDOM.insertBefore(this.dom,e),this.domAfter&&this.view.scrollDOM.appendChild(this.domAfter))}updateGutters(n){let e=n.startState.facet(
Tn),t=n.state.facet(Tn),i=n.docChanged||n.heightChanged||n.viewportChanged||!z.eq(n.startState.facet(Fs),n.state.facet(Fs),n.view.viewport.from,n.view.viewport.
to);if(e==t)for(let s of this.gutters)s.update(n)&&(i=!0);else{i=!0;let s=[];for(let r of t){let o=e.indexOf(r);o<0?s.push(new Ln(this.view,r)):(this.gutters[o].
update(n),s.push(this.gutters[o]))}for(let r of this.gutters)r.dom.remove(),s.indexOf(r)<0&&r.destroy();for(let r of s)r.config.side=="after"?this.getDOMAfter().
appendChild(r.dom):this.dom.appendChild(r.dom);this.gutters=s}return i}destroy(){for(let n of this.gutters)n.destroy();this.dom.remove(),this.domAfter&&this.domAfter.
remove()}},{provide:n=>P.scrollMargins.of(e=>{let t=e.plugin(n);if(!t||t.gutters.length==0||!t.fixed)return null;let i=t.dom.offsetWidth*e.scaleX,s=t.domAfter?t.
domAfter.offsetWidth*e.scaleX:0;return e.textDirection==N.LTR?{left:i,right:s}:{right:i,left:s}})});function ia(n){return Array.isArray(n)?n:[n]}function Ir(n,e,t){
for(;n.value&&n.from<=t;)n.from==t&&e.push(n.value),n.next()}var Nr=class{constructor(e,t,i){this.gutter=e,this.height=i,this.i=0,this.cursor=z.iter(e.markers,t.
from)}addElement(e,t,i){let{gutter:s}=this,r=(t.top-this.height)/e.scaleY,o=t.height/e.scaleY;if(this.i==s.elements.length){let l=new zn(e,o,r,i);s.elements.push(
l),s.dom.appendChild(l.dom)}else s.elements[this.i].update(e,o,r,i);this.height=t.bottom,this.i++}line(e,t,i){let s=[];Ir(this.cursor,s,t.from),i.length&&(s=s.concat(
i));let r=this.gutter.config.lineMarker(e,t,s);r&&s.unshift(r);let o=this.gutter;s.length==0&&!o.config.renderEmptyElements||this.addElement(e,t,s)}widget(e,t){
let i=this.gutter.config.widgetMarker(e,t.widget,t),s=i?[i]:null;for(let r of e.state.facet(Uu)){let o=r(e,t.widget,t);o&&(s||(s=[])).push(o)}s&&this.addElement(
e,t,s)}finish(){let e=this.gutter;for(;e.elements.length>this.i;){let t=e.elements.pop();e.dom.removeChild(t.dom),t.destroy()}}},Ln=class{constructor(e,t){this.
view=e,this.config=t,this.elements=[],this.spacer=null,this.dom=document.createElement("div"),this.dom.className="cm-gutter"+(this.config.class?" "+this.config.
class:"");for(let i in t.domEventHandlers)this.dom.addEventListener(i,s=>{let r=s.target,o;if(r!=this.dom&&this.dom.contains(r)){for(;r.parentNode!=this.dom;)r=
r.parentNode;let a=r.getBoundingClientRect();o=(a.top+a.bottom)/2}else o=s.clientY;let l=e.lineBlockAtHeight(o-e.documentTop);t.domEventHandlers[i](e,l,s)&&s.preventDefault()});
this.markers=ia(t.markers(e)),t.initialSpacer&&(this.spacer=new zn(e,0,0,[t.initialSpacer(e)]),this.dom.appendChild(this.spacer.dom),this.spacer.dom.style.cssText+=
"visibility: hidden; pointer-events: none")}update(e){let t=this.markers;if(this.markers=ia(this.config.markers(e.view)),this.spacer&&this.config.updateSpacer){
let s=this.config.updateSpacer(this.spacer.markers[0],e);s!=this.spacer.markers[0]&&this.spacer.update(e.view,0,0,[s])}let i=e.view.viewport;return!z.eq(this.markers,
t,i.from,i.to)||(this.config.lineMarkerChange?this.config.lineMarkerChange(e):!1)}destroy(){for(let e of this.elements)e.destroy()}},zn=class{constructor(e,t,i,s){
this.height=-1,this.above=0,this.markers=[],this.dom=document.createElement("div"),this.dom.className="cm-gutterElement",this.update(e,t,i,s)}update(e,t,i,s){this.
height!=t&&(this.height=t,this.dom.style.height=t+"px"),this.above!=i&&(this.dom.style.marginTop=(this.above=i)?i+"px":""),Zu(this.markers,s)||this.setMarkers(e,
s)}setMarkers(e,t){let i="cm-gutterElement",s=this.dom.firstChild;for(let r=0,o=0;;){let l=o,a=r<t.length?t[r++]:null,h=!1;if(a){let f=a.elementClass;f&&(i+=" "+
f);for(let c=o;c<this.markers.length;c++)if(this.markers[c].compare(a)){l=c,h=!0;break}}else l=this.markers.length;for(;o<l;){let f=this.markers[o++];if(f.toDOM){
f.destroy(s);let c=s.nextSibling;s.remove(),s=c}}if(!a)break;a.toDOM&&(h?s=s.nextSibling:this.dom.insertBefore(a.toDOM(e),s)),h&&o++}this.dom.className=i,this.markers=
t}destroy(){this.setMarkers(null,[])}};function Zu(n,e){if(n.length!=e.length)return!1;for(let t=0;t<n.length;t++)if(!n[t].compare(e[t]))return!1;return!0}var Yu=Q.
define(),Ku=Q.define(),ei=Q.define({combine(n){return ct(n,{formatNumber:String,domEventHandlers:{}},{domEventHandlers(e,t){let i=Object.assign({},e);for(let s in t){
let r=i[s],o=t[s];i[s]=r?(l,a,h)=>r(l,a,h)||o(l,a,h):o}return i}})}}),Di=class extends _e{constructor(e){super(),this.number=e}eq(e){return this.number==e.number}toDOM(){
return document.createTextNode(this.number)}};function _s(n,e){return n.state.facet(ei).formatNumber(e,n.state)}var Ju=Tn.compute([ei],n=>({class:"cm-lineNumber\
s",renderEmptyElements:!1,markers(e){return e.state.facet(Yu)},lineMarker(e,t,i){return i.some(s=>s.toDOM)?null:new Di(_s(e,e.state.doc.lineAt(t.from).number))},
widgetMarker:(e,t,i)=>{for(let s of e.state.facet(Ku)){let r=s(e,t,i);if(r)return r}return null},lineMarkerChange:e=>e.startState.facet(ei)!=e.state.facet(ei),initialSpacer(e){
return new Di(_s(e,na(e.state.doc.lines)))},updateSpacer(e,t){let i=_s(t.view,na(t.view.state.doc.lines));return i==e.number?e:new Di(i)},domEventHandlers:n.facet(
ei).domEventHandlers,side:"before"}));function nh(n={}){return[ei.of(n),ju(),Ju]}function na(n){let e=9;for(;e<n;)e=e*10+9;return e}var ed=0,Ii=class{constructor(e,t){this.from=e,this.to=t}},M=class{constructor(e={}){this.id=ed++,this.perNode=!!e.perNode,this.deserialize=e.deserialize||(()=>{
throw new Error("This node type doesn't define a deserialize function")}),this.combine=e.combine||null}add(e){if(this.perNode)throw new RangeError("Can't add pe\
r-node props to node types");return typeof e!="function"&&(e=re.match(e)),t=>{let i=e(t);return i===void 0?null:[this,i]}}};M.closedBy=new M({deserialize:n=>n.split(
" ")});M.openedBy=new M({deserialize:n=>n.split(" ")});M.group=new M({deserialize:n=>n.split(" ")});M.isolate=new M({deserialize:n=>{if(n&&n!="rtl"&&n!="ltr"&&n!=
"auto")throw new RangeError("Invalid value for isolate: "+n);return n||"auto"}});M.contextHash=new M({perNode:!0});M.lookAhead=new M({perNode:!0});M.mounted=new M(
{perNode:!0});var Dt=class{constructor(e,t,i,s=!1){this.tree=e,this.overlay=t,this.parser=i,this.bracketed=s}static get(e){return e&&e.props&&e.props[M.mounted.
id]}},td=Object.create(null),re=class n{constructor(e,t,i,s=0){this.name=e,this.props=t,this.id=i,this.flags=s}static define(e){let t=e.props&&e.props.length?Object.
create(null):td,i=(e.top?1:0)|(e.skipped?2:0)|(e.error?4:0)|(e.name==null?8:0),s=new n(e.name||"",t,e.id,i);if(e.props){for(let r of e.props)if(Array.isArray(r)||
(r=r(s)),r){if(r[0].perNode)throw new RangeError("Can't store a per-node prop on a node type");t[r[0].id]=r[1]}}return s}prop(e){return this.props[e.id]}get isTop(){
return(this.flags&1)>0}get isSkipped(){return(this.flags&2)>0}get isError(){return(this.flags&4)>0}get isAnonymous(){return(this.flags&8)>0}is(e){if(typeof e=="\
string"){if(this.name==e)return!0;let t=this.prop(M.group);return t?t.indexOf(e)>-1:!1}return this.id==e}static match(e){let t=Object.create(null);for(let i in e)
for(let s of i.split(" "))t[s]=e[i];return i=>{for(let s=i.prop(M.group),r=-1;r<(s?s.length:0);r++){let o=t[r<0?i.name:s[r]];if(o)return o}}}};re.none=new re("",
Object.create(null),0,8);var Ni=class n{constructor(e){this.types=e;for(let t=0;t<e.length;t++)if(e[t].id!=t)throw new RangeError("Node type ids should correspo\
nd to array positions when creating a node set")}extend(...e){let t=[];for(let i of this.types){let s=null;for(let r of e){let o=r(i);if(o){s||(s=Object.assign(
{},i.props));let l=o[1],a=o[0];a.combine&&a.id in s&&(l=a.combine(s[a.id],l)),s[a.id]=l}}t.push(s?new re(i.name,s,i.id,i.flags):i)}return new n(t)}},Xn=new WeakMap,
sh=new WeakMap,H;(function(n){n[n.ExcludeBuffers=1]="ExcludeBuffers",n[n.IncludeAnonymous=2]="IncludeAnonymous",n[n.IgnoreMounts=4]="IgnoreMounts",n[n.IgnoreOverlays=
8]="IgnoreOverlays",n[n.EnterBracketed=16]="EnterBracketed"})(H||(H={}));var G=class n{constructor(e,t,i,s,r){if(this.type=e,this.children=t,this.positions=i,this.
length=s,this.props=null,r&&r.length){this.props=Object.create(null);for(let[o,l]of r)this.props[typeof o=="number"?o:o.id]=l}}toString(){let e=Dt.get(this);if(e&&
!e.overlay)return e.tree.toString();let t="";for(let i of this.children){let s=i.toString();s&&(t&&(t+=","),t+=s)}return this.type.name?(/\W/.test(this.type.name)&&
!this.type.isError?JSON.stringify(this.type.name):this.type.name)+(t.length?"("+t+")":""):t}cursor(e=0){return new Xi(this.topNode,e)}cursorAt(e,t=0,i=0){let s=Xn.
get(this)||this.topNode,r=new Xi(s);return r.moveTo(e,t),Xn.set(this,r._tree),r}get topNode(){return new Pe(this,0,0,null)}resolve(e,t=0){let i=Vi(Xn.get(this)||
this.topNode,e,t,!1);return Xn.set(this,i),i}resolveInner(e,t=0){let i=Vi(sh.get(this)||this.topNode,e,t,!0);return sh.set(this,i),i}resolveStack(e,t=0){return id(
this,e,t)}iterate(e){let{enter:t,leave:i,from:s=0,to:r=this.length}=e,o=e.mode||0,l=(o&H.IncludeAnonymous)>0;for(let a=this.cursor(o|H.IncludeAnonymous);;){let h=!1;
if(a.from<=r&&a.to>=s&&(!l&&a.type.isAnonymous||t(a)!==!1)){if(a.firstChild())continue;h=!0}for(;h&&i&&(l||!a.type.isAnonymous)&&i(a),!a.nextSibling();){if(!a.parent())
return;h=!0}}}prop(e){return e.perNode?this.props?this.props[e.id]:void 0:this.type.prop(e)}get propValues(){let e=[];if(this.props)for(let t in this.props)e.push(
[+t,this.props[t]]);return e}balance(e={}){return this.children.length<=8?this:io(re.none,this.children,this.positions,0,this.children.length,0,this.length,(t,i,s)=>new n(
this.type,t,i,s,this.propValues),e.makeTree||((t,i,s)=>new n(re.none,t,i,s)))}static build(e){return nd(e)}};G.empty=new G(re.none,[],[],0);var Zr=class n{constructor(e,t){
this.buffer=e,this.index=t}get id(){return this.buffer[this.index-4]}get start(){return this.buffer[this.index-3]}get end(){return this.buffer[this.index-2]}get size(){
return this.buffer[this.index-1]}get pos(){return this.index}next(){this.index-=4}fork(){return new n(this.buffer,this.index)}},Ot=class n{constructor(e,t,i){this.
buffer=e,this.length=t,this.set=i}get type(){return re.none}toString(){let e=[];for(let t=0;t<this.buffer.length;)e.push(this.childString(t)),t=this.buffer[t+3];
return e.join(",")}childString(e){let t=this.buffer[e],i=this.buffer[e+3],s=this.set.types[t],r=s.name;if(/\W/.test(r)&&!s.isError&&(r=JSON.stringify(r)),e+=4,i==
e)return r;let o=[];for(;e<i;)o.push(this.childString(e)),e=this.buffer[e+3];return r+"("+o.join(",")+")"}findChild(e,t,i,s,r){let{buffer:o}=this,l=-1;for(let a=e;a!=
t&&!(lh(r,s,o[a+1],o[a+2])&&(l=a,i>0));a=o[a+3]);return l}slice(e,t,i){let s=this.buffer,r=new Uint16Array(t-e),o=0;for(let l=e,a=0;l<t;){r[a++]=s[l++],r[a++]=s[l++]-
i;let h=r[a++]=s[l++]-i;r[a++]=s[l++]-e,o=Math.max(o,h)}return new n(r,o,this.set)}};function lh(n,e,t,i){switch(n){case-2:return t<e;case-1:return i>=e&&t<e;case 0:
return t<e&&i>e;case 1:return t<=e&&i>e;case 2:return i>e;case 4:return!0}}function Vi(n,e,t,i){for(var s;n.from==n.to||(t<1?n.from>=e:n.from>e)||(t>-1?n.to<=e:
n.to<e);){let o=!i&&n instanceof Pe&&n.index<0?null:n.parent;if(!o)return n;n=o}let r=i?0:H.IgnoreOverlays;if(i)for(let o=n,l=o.parent;l;o=l,l=o.parent)o instanceof
Pe&&o.index<0&&((s=l.enter(e,t,r))===null||s===void 0?void 0:s.from)!=o.from&&(n=l);for(;;){let o=n.enter(e,t,r);if(!o)return n;n=o}}var _n=class{cursor(e=0){return new Xi(
this,e)}getChild(e,t=null,i=null){let s=rh(this,e,t,i);return s.length?s[0]:null}getChildren(e,t=null,i=null){return rh(this,e,t,i)}resolve(e,t=0){return Vi(this,
e,t,!1)}resolveInner(e,t=0){return Vi(this,e,t,!0)}matchContext(e){return Yr(this.parent,e)}enterUnfinishedNodesBefore(e){let t=this.childBefore(e),i=this;for(;t;){
let s=t.lastChild;if(!s||s.to!=t.to)break;s.type.isError&&s.from==s.to?(i=t,t=s.prevSibling):t=s}return i}get node(){return this}get next(){return this.parent}},
Pe=class n extends _n{constructor(e,t,i,s){super(),this._tree=e,this.from=t,this.index=i,this._parent=s}get type(){return this._tree.type}get name(){return this.
_tree.type.name}get to(){return this.from+this._tree.length}nextChild(e,t,i,s,r=0){for(let o=this;;){for(let{children:l,positions:a}=o._tree,h=t>0?l.length:-1;e!=
h;e+=t){let f=l[e],c=a[e]+o.from,u;if(!(!(r&H.EnterBracketed&&f instanceof G&&(u=Dt.get(f))&&!u.overlay&&u.bracketed&&i>=c&&i<=c+f.length)&&!lh(s,i,c,c+f.length))){
if(f instanceof Ot){if(r&H.ExcludeBuffers)continue;let d=f.findChild(0,f.buffer.length,t,i-c,s);if(d>-1)return new Bt(new Kr(o,f,e,c),null,d)}else if(r&H.IncludeAnonymous||
!f.type.isAnonymous||to(f)){let d;if(!(r&H.IgnoreMounts)&&(d=Dt.get(f))&&!d.overlay)return new n(d.tree,c,e,o);let p=new n(f,c,e,o);return r&H.IncludeAnonymous||
!p.type.isAnonymous?p:p.nextChild(t<0?f.children.length-1:0,t,i,s,r)}}}if(r&H.IncludeAnonymous||!o.type.isAnonymous||(o.index>=0?e=o.index+t:e=t<0?-1:o._parent.
_tree.children.length,o=o._parent,!o))return null}}get firstChild(){return this.nextChild(0,1,0,4)}get lastChild(){return this.nextChild(this._tree.children.length-
1,-1,0,4)}childAfter(e){return this.nextChild(0,1,e,2)}childBefore(e){return this.nextChild(this._tree.children.length-1,-1,e,-2)}prop(e){return this._tree.prop(
e)}enter(e,t,i=0){let s;if(!(i&H.IgnoreOverlays)&&(s=Dt.get(this._tree))&&s.overlay){let r=e-this.from,o=i&H.EnterBracketed&&s.bracketed;for(let{from:l,to:a}of s.
overlay)if((t>0||o?l<=r:l<r)&&(t<0||o?a>=r:a>r))return new n(s.tree,s.overlay[0].from+this.from,-1,this)}return this.nextChild(0,1,e,t,i)}nextSignificantParent(){
let e=this;for(;e.type.isAnonymous&&e._parent;)e=e._parent;return e}get parent(){return this._parent?this._parent.nextSignificantParent():null}get nextSibling(){
return this._parent&&this.index>=0?this._parent.nextChild(this.index+1,1,0,4):null}get prevSibling(){return this._parent&&this.index>=0?this._parent.nextChild(this.
index-1,-1,0,4):null}get tree(){return this._tree}toTree(){return this._tree}toString(){return this._tree.toString()}};function rh(n,e,t,i){let s=n.cursor(),r=[];
if(!s.firstChild())return r;if(t!=null){for(let o=!1;!o;)if(o=s.type.is(t),!s.nextSibling())return r}for(;;){if(i!=null&&s.type.is(i))return r;if(s.type.is(e)&&
r.push(s.node),!s.nextSibling())return i==null?r:[]}}function Yr(n,e,t=e.length-1){for(let i=n;t>=0;i=i.parent){if(!i)return!1;if(!i.type.isAnonymous){if(e[t]&&
e[t]!=i.name)return!1;t--}}return!0}var Kr=class{constructor(e,t,i,s){this.parent=e,this.buffer=t,this.index=i,this.start=s}},Bt=class n extends _n{get name(){return this.
type.name}get from(){return this.context.start+this.context.buffer.buffer[this.index+1]}get to(){return this.context.start+this.context.buffer.buffer[this.index+
2]}constructor(e,t,i){super(),this.context=e,this._parent=t,this.index=i,this.type=e.buffer.set.types[e.buffer.buffer[i]]}child(e,t,i){let{buffer:s}=this.context,
r=s.findChild(this.index+4,s.buffer[this.index+3],e,t-this.context.start,i);return r<0?null:new n(this.context,this,r)}get firstChild(){return this.child(1,0,4)}get lastChild(){
return this.child(-1,0,4)}childAfter(e){return this.child(1,e,2)}childBefore(e){return this.child(-1,e,-2)}prop(e){return this.type.prop(e)}enter(e,t,i=0){if(i&
H.ExcludeBuffers)return null;let{buffer:s}=this.context,r=s.findChild(this.index+4,s.buffer[this.index+3],t>0?1:-1,e-this.context.start,t);return r<0?null:new n(
this.context,this,r)}get parent(){return this._parent||this.context.parent.nextSignificantParent()}externalSibling(e){return this._parent?null:this.context.parent.
nextChild(this.context.index+e,e,0,4)}get nextSibling(){let{buffer:e}=this.context,t=e.buffer[this.index+3];return t<(this._parent?e.buffer[this._parent.index+3]:
e.buffer.length)?new n(this.context,this._parent,t):this.externalSibling(1)}get prevSibling(){let{buffer:e}=this.context,t=this._parent?this._parent.index+4:0;return this.
index==t?this.externalSibling(-1):new n(this.context,this._parent,e.findChild(t,this.index,-1,0,4))}get tree(){return null}toTree(){let e=[],t=[],{buffer:i}=this.
context,s=this.index+4,r=i.buffer[this.index+3];if(r>s){let o=i.buffer[this.index+1];e.push(i.slice(s,r,o)),t.push(0)}return new G(this.type,e,t,this.to-this.from)}toString(){
return this.context.buffer.childString(this.index)}};function ah(n){if(!n.length)return null;let e=0,t=n[0];for(let r=1;r<n.length;r++){let o=n[r];(o.from>t.from||
o.to<t.to)&&(t=o,e=r)}let i=t instanceof Pe&&t.index<0?null:t.parent,s=n.slice();return i?s[e]=i:s.splice(e,1),new Jr(s,t)}var Jr=class{constructor(e,t){this.heads=
e,this.node=t}get next(){return ah(this.heads)}};function id(n,e,t){let i=n.resolveInner(e,t),s=null;for(let r=i instanceof Pe?i:i.context.parent;r;r=r.parent)if(r.
index<0){let o=r.parent;(s||(s=[i])).push(o.resolve(e,t)),r=o}else{let o=Dt.get(r.tree);if(o&&o.overlay&&o.overlay[0].from<=e&&o.overlay[o.overlay.length-1].to>=
e){let l=new Pe(o.tree,o.overlay[0].from+r.from,-1,r);(s||(s=[i])).push(Vi(l,e,t,!1))}}return s?ah(s):i}var Xi=class{get name(){return this.type.name}constructor(e,t=0){
if(this.buffer=null,this.stack=[],this.index=0,this.bufferNode=null,this.mode=t&~H.EnterBracketed,e instanceof Pe)this.yieldNode(e);else{this._tree=e.context.parent,
this.buffer=e.context;for(let i=e._parent;i;i=i._parent)this.stack.unshift(i.index);this.bufferNode=e,this.yieldBuf(e.index)}}yieldNode(e){return e?(this._tree=
e,this.type=e.type,this.from=e.from,this.to=e.to,!0):!1}yieldBuf(e,t){this.index=e;let{start:i,buffer:s}=this.buffer;return this.type=t||s.set.types[s.buffer[e]],
this.from=i+s.buffer[e+1],this.to=i+s.buffer[e+2],!0}yield(e){return e?e instanceof Pe?(this.buffer=null,this.yieldNode(e)):(this.buffer=e.context,this.yieldBuf(
e.index,e.type)):!1}toString(){return this.buffer?this.buffer.buffer.childString(this.index):this._tree.toString()}enterChild(e,t,i){if(!this.buffer)return this.
yield(this._tree.nextChild(e<0?this._tree._tree.children.length-1:0,e,t,i,this.mode));let{buffer:s}=this.buffer,r=s.findChild(this.index+4,s.buffer[this.index+3],
e,t-this.buffer.start,i);return r<0?!1:(this.stack.push(this.index),this.yieldBuf(r))}firstChild(){return this.enterChild(1,0,4)}lastChild(){return this.enterChild(
-1,0,4)}childAfter(e){return this.enterChild(1,e,2)}childBefore(e){return this.enterChild(-1,e,-2)}enter(e,t,i=this.mode){return this.buffer?i&H.ExcludeBuffers?
!1:this.enterChild(1,e,t):this.yield(this._tree.enter(e,t,i))}parent(){if(!this.buffer)return this.yieldNode(this.mode&H.IncludeAnonymous?this._tree._parent:this.
_tree.parent);if(this.stack.length)return this.yieldBuf(this.stack.pop());let e=this.mode&H.IncludeAnonymous?this.buffer.parent:this.buffer.parent.nextSignificantParent();
return this.buffer=null,this.yieldNode(e)}sibling(e){if(!this.buffer)return this._tree._parent?this.yield(this._tree.index<0?null:this._tree._parent.nextChild(this.
_tree.index+e,e,0,4,this.mode)):!1;let{buffer:t}=this.buffer,i=this.stack.length-1;if(e<0){let s=i<0?0:this.stack[i]+4;if(this.index!=s)return this.yieldBuf(t.findChild(
s,this.index,-1,0,4))}else{let s=t.buffer[this.index+3];if(s<(i<0?t.buffer.length:t.buffer[this.stack[i]+3]))return this.yieldBuf(s)}return i<0?this.yield(this.
buffer.parent.nextChild(this.buffer.index+e,e,0,4,this.mode)):!1}nextSibling(){return this.sibling(1)}prevSibling(){return this.sibling(-1)}atLastNode(e){let t,
i,{buffer:s}=this;if(s){if(e>0){if(this.index<s.buffer.buffer.length)return!1}else for(let r=0;r<this.index;r++)if(s.buffer.buffer[r+3]<this.index)return!1;({index:t,
parent:i}=s)}else({index:t,_parent:i}=this._tree);for(;i;{index:t,_parent:i}=i)if(t>-1)for(let r=t+e,o=e<0?-1:i._tree.children.length;r!=o;r+=e){let l=i._tree.children[r];
if(this.mode&H.IncludeAnonymous||l instanceof Ot||!l.type.isAnonymous||to(l))return!1}return!0}move(e,t){if(t&&this.enterChild(e,0,4))return!0;for(;;){if(this.sibling(
e))return!0;if(this.atLastNode(e)||!this.parent())return!1}}next(e=!0){return this.move(1,e)}prev(e=!0){return this.move(-1,e)}moveTo(e,t=0){for(;(this.from==this.
to||(t<1?this.from>=e:this.from>e)||(t>-1?this.to<=e:this.to<e))&&this.parent(););for(;this.enterChild(1,e,t););return this}get node(){if(!this.buffer)return this.
_tree;let e=this.bufferNode,t=null,i=0;if(e&&e.context==this.buffer)e:for(let s=this.index,r=this.stack.length;r>=0;){for(let o=e;o;o=o._parent)if(o.index==s){if(s==
this.index)return o;t=o,i=r+1;break e}s=this.stack[--r]}for(let s=i;s<this.stack.length;s++)t=new Bt(this.buffer,t,this.stack[s]);return this.bufferNode=new Bt(
this.buffer,t,this.index)}get tree(){return this.buffer?null:this._tree._tree}iterate(e,t){for(let i=0;;){let s=!1;if(this.type.isAnonymous||e(this)!==!1){if(this.
firstChild()){i++;continue}this.type.isAnonymous||(s=!0)}for(;;){if(s&&t&&t(this),s=this.type.isAnonymous,!i)return;if(this.nextSibling())break;this.parent(),i--,
s=!0}}}matchContext(e){if(!this.buffer)return Yr(this.node.parent,e);let{buffer:t}=this.buffer,{types:i}=t.set;for(let s=e.length-1,r=this.stack.length-1;s>=0;r--){
if(r<0)return Yr(this._tree,e,s);let o=i[t.buffer[this.stack[r]]];if(!o.isAnonymous){if(e[s]&&e[s]!=o.name)return!1;s--}}return!0}};function to(n){return n.children.
some(e=>e instanceof Ot||!e.type.isAnonymous||to(e))}function nd(n){var e;let{buffer:t,nodeSet:i,maxBufferLength:s=1024,reused:r=[],minRepeatType:o=i.types.length}=n,
l=Array.isArray(t)?new Zr(t,t.length):t,a=i.types,h=0,f=0;function c(x,v,T,q,B,V){let{id:E,start:A,end:L,size:$}=l,U=f,ne=h;if($<0)if(l.next(),$==-1){let Ze=r[E];
T.push(Ze),q.push(A-x);return}else if($==-3){h=E;return}else if($==-4){f=E;return}else throw new RangeError(`Unrecognized record size: ${$}`);let pe=a[E],Ne,ee,
xe=A-x;if(L-A<=s&&(ee=g(l.pos-v,B))){let Ze=new Uint16Array(ee.size-ee.skip),le=l.pos-ee.size,Me=Ze.length;for(;l.pos>le;)Me=y(ee.start,Ze,Me);Ne=new Ot(Ze,L-ee.
start,i),xe=ee.start-x}else{let Ze=l.pos-$;l.next();let le=[],Me=[],Ve=E>=o?E:-1,Ye=0,Xt=L,yi=U;for(;l.pos>Ze;)Ve>=0&&l.id==Ve&&l.size>=0?(l.end<=Xt-s&&(p(le,Me,
A,Ye,l.end,Xt,Ve,yi,ne),Ye=le.length,Xt=l.end,yi=f),l.next()):V>2500?u(A,Ze,le,Me):(Ve>=0&&l.size==-1&&r[l.id].type==i.types[Ve]&&(Ye<le.length&&p(le,Me,A,Ye,l.
end,Xt,Ve,yi,ne),Ye=le.length+1,Xt=l.start,yi=f),c(A,Ze,le,Me,Ve,V+1));if(Ve>=0&&Ye>0&&Ye<le.length&&p(le,Me,A,Ye,A,Xt,Ve,yi,ne),le.reverse(),Me.reverse(),Ve>-1&&
Ye>0){let Yo=d(pe,ne);Ne=io(pe,le,Me,0,le.length,0,L-A,Yo,Yo)}else Ne=m(pe,le,Me,L-A,U-L,ne)}T.push(Ne),q.push(xe)}function u(x,v,T,q){let B=[],V=0,E=-1;for(;l.
pos>v;){let{id:A,start:L,end:$,size:U}=l;if(U>4)l.next();else{if(E>-1&&L<E)break;E<0&&(E=$-s),B.push(A,L,$),V++,l.next()}}if(V){let A=new Uint16Array(V*4),L=B[B.
length-2];for(let $=B.length-3,U=0;$>=0;$-=3)A[U++]=B[$],A[U++]=B[$+1]-L,A[U++]=B[$+2]-L,A[U++]=U;T.push(new Ot(A,B[2]-L,i)),q.push(L-x)}}function d(x,v){return(T,q,B)=>{
let V=0,E=T.length-1,A,L;if(E>=0&&(A=T[E])instanceof G){if(!E&&A.type==x&&A.length==B)return A;(L=A.prop(M.lookAhead))&&(V=q[E]+A.length+L-B)}return m(x,T,q,B,V,
v)}}function p(x,v,T,q,B,V,E,A,L){let $=[],U=[];for(;x.length>q;)$.push(x.pop()),U.push(v.pop()+T-B);x.push(m(i.types[E],$,U,V-B,A-V,L)),v.push(B-T)}function m(x,v,T,q,B,V,E){
if(V){let A=[M.contextHash,V];E=E?[A].concat(E):[A]}if(B>25){let A=[M.lookAhead,B];E=E?[A].concat(E):[A]}return new G(x,v,T,q,E)}function g(x,v){let T=l.fork(),
q=0,B=0,V=0,E=T.end-s,A={size:0,start:0,skip:0};e:for(let L=T.pos-x;T.pos>L;){let $=T.size;if(T.id==v&&$>=0){A.size=q,A.start=B,A.skip=V,V+=4,q+=4,T.next();continue}
let U=T.pos-$;if($<0||U<L||T.start<E)break;let ne=T.id>=o?4:0,pe=T.start;for(T.next();T.pos>U;){if(T.size<0)if(T.size==-3||T.size==-4)ne+=4;else break e;else T.
id>=o&&(ne+=4);T.next()}B=pe,q+=$,V+=ne}return(v<0||q==x)&&(A.size=q,A.start=B,A.skip=V),A.size>4?A:void 0}function y(x,v,T){let{id:q,start:B,end:V,size:E}=l;if(l.
next(),E>=0&&q<o){let A=T;if(E>4){let L=l.pos-(E-4);for(;l.pos>L;)T=y(x,v,T)}v[--T]=A,v[--T]=V-x,v[--T]=B-x,v[--T]=q}else E==-3?h=q:E==-4&&(f=q);return T}let C=[],
k=[];for(;l.pos>0;)c(n.start||0,n.bufferStart||0,C,k,-1,0);let R=(e=n.length)!==null&&e!==void 0?e:C.length?k[0]+C[0].length:0;return new G(a[n.topID],C.reverse(),
k.reverse(),R)}var oh=new WeakMap;function Fn(n,e){if(!n.isAnonymous||e instanceof Ot||e.type!=n)return 1;let t=oh.get(e);if(t==null){t=1;for(let i of e.children){
if(i.type!=n||!(i instanceof G)){t=1;break}t+=Fn(n,i)}oh.set(e,t)}return t}function io(n,e,t,i,s,r,o,l,a){let h=0;for(let p=i;p<s;p++)h+=Fn(n,e[p]);let f=Math.ceil(
h*1.5/8),c=[],u=[];function d(p,m,g,y,C){for(let k=g;k<y;){let R=k,x=m[k],v=Fn(n,p[k]);for(k++;k<y;k++){let T=Fn(n,p[k]);if(v+T>=f)break;v+=T}if(k==R+1){if(v>f){
let T=p[R];d(T.children,T.positions,0,T.children.length,m[R]+C);continue}c.push(p[R])}else{let T=m[k-1]+p[k-1].length-x;c.push(io(n,p,m,R,k,x,T,null,a))}u.push(
x+C-r)}}return d(e,t,i,s,0),(l||a)(c,u,o)}var Hn=class{constructor(){this.map=new WeakMap}setBuffer(e,t,i){let s=this.map.get(e);s||this.map.set(e,s=new Map),s.
set(t,i)}getBuffer(e,t){let i=this.map.get(e);return i&&i.get(t)}set(e,t){e instanceof Bt?this.setBuffer(e.context.buffer,e.index,t):e instanceof Pe&&this.map.set(
e.tree,t)}get(e){return e instanceof Bt?this.getBuffer(e.context.buffer,e.index):e instanceof Pe?this.map.get(e.tree):void 0}cursorSet(e,t){e.buffer?this.setBuffer(
e.buffer.buffer,e.index,t):this.map.set(e.tree,t)}cursorGet(e){return e.buffer?this.getBuffer(e.buffer.buffer,e.index):this.map.get(e.tree)}},qt=class n{constructor(e,t,i,s,r=!1,o=!1){
this.from=e,this.to=t,this.tree=i,this.offset=s,this.open=(r?1:0)|(o?2:0)}get openStart(){return(this.open&1)>0}get openEnd(){return(this.open&2)>0}static addTree(e,t=[],i=!1){
let s=[new n(0,e.length,e,0,!1,i)];for(let r of t)r.to>e.length&&s.push(r);return s}static applyChanges(e,t,i=128){if(!t.length)return e;let s=[],r=1,o=e.length?
e[0]:null;for(let l=0,a=0,h=0;;l++){let f=l<t.length?t[l]:null,c=f?f.fromA:1e9;if(c-a>=i)for(;o&&o.from<c;){let u=o;if(a>=u.from||c<=u.to||h){let d=Math.max(u.from,
a)-h,p=Math.min(u.to,c)-h;u=d>=p?null:new n(d,p,u.tree,u.offset+h,l>0,!!f)}if(u&&s.push(u),o.to>c)break;o=r<e.length?e[r++]:null}if(!f)break;a=f.toA,h=f.toA-f.toB}
return s}},ci=class{startParse(e,t,i){return typeof e=="string"&&(e=new eo(e)),i=i?i.length?i.map(s=>new Ii(s.from,s.to)):[new Ii(0,0)]:[new Ii(0,e.length)],this.
createParse(e,t||[],i)}parse(e,t,i){let s=this.startParse(e,t,i);for(;;){let r=s.advance();if(r)return r}}},eo=class{constructor(e){this.string=e}get length(){return this.
string.length}chunk(e){return this.string.slice(e)}get lineChunks(){return!1}read(e,t){return this.string.slice(e,t)}};var $g=new M({perNode:!0});var sd=0,We=class n{constructor(e,t,i,s){this.name=e,this.set=t,this.base=i,this.modified=s,this.id=sd++}toString(){let{name:e}=this;for(let t of this.modified)
t.name&&(e=`${t.name}(${e})`);return e}static define(e,t){let i=typeof e=="string"?e:"?";if(e instanceof n&&(t=e),t?.base)throw new Error("Can not derive from a\
 modified tag");let s=new n(i,[],null,[]);if(s.set.push(s),t)for(let r of t.set)s.set.push(r);return s}static defineModifier(e){let t=new Zn(e);return i=>i.modified.
indexOf(t)>-1?i:Zn.get(i.base||i,i.modified.concat(t).sort((s,r)=>s.id-r.id))}},rd=0,Zn=class n{constructor(e){this.name=e,this.instances=[],this.id=rd++}static get(e,t){
if(!t.length)return e;let i=t[0].instances.find(l=>l.base==e&&od(t,l.modified));if(i)return i;let s=[],r=new We(e.name,s,e,t);for(let l of t)l.instances.push(r);
let o=ld(t);for(let l of e.set)if(!l.modified.length)for(let a of o)s.push(n.get(l,a));return r}};function od(n,e){return n.length==e.length&&n.every((t,i)=>t==
e[i])}function ld(n){let e=[[]];for(let t=0;t<n.length;t++)for(let i=0,s=e.length;i<s;i++)e.push(e[i].concat(n[t]));return e.sort((t,i)=>i.length-t.length)}function Yn(n){
let e=Object.create(null);for(let t in n){let i=n[t];Array.isArray(i)||(i=[i]);for(let s of t.split(" "))if(s){let r=[],o=2,l=s;for(let c=0;;){if(l=="..."&&c>0&&
c+3==s.length){o=1;break}let u=/^"(?:[^"\\]|\\.)*?"|[^\/!]+/.exec(l);if(!u)throw new RangeError("Invalid path: "+s);if(r.push(u[0]=="*"?"":u[0][0]=='"'?JSON.parse(
u[0]):u[0]),c+=u[0].length,c==s.length)break;let d=s[c++];if(c==s.length&&d=="!"){o=0;break}if(d!="/")throw new RangeError("Invalid path: "+s);l=s.slice(c)}let a=r.
length-1,h=r[a];if(!h)throw new RangeError("Invalid path: "+s);let f=new Wt(i,o,a>0?r.slice(0,a):null);e[h]=f.sort(e[h])}}return ch.add(e)}var ch=new M({combine(n,e){
let t,i,s;for(;n||e;){if(!n||e&&n.depth<=e.depth?(s=e,e=e.next):(s=n,n=n.next),t&&t.mode==s.mode&&!s.context&&!t.context)continue;let r=new Wt(s.tags,s.mode,s.context);
t?t.next=r:i=r,t=r}return i}}),Wt=class{constructor(e,t,i,s){this.tags=e,this.mode=t,this.context=i,this.next=s}get opaque(){return this.mode==0}get inherit(){return this.
mode==1}sort(e){return!e||e.depth<this.depth?(this.next=e,this):(e.next=this.sort(e.next),e)}get depth(){return this.context?this.context.length:0}};Wt.empty=new Wt(
[],2,null);function _i(n,e){let t=Object.create(null);for(let r of n)if(!Array.isArray(r.tag))t[r.tag.id]=r.class;else for(let o of r.tag)t[o.id]=r.class;let{scope:i,
all:s=null}=e||{};return{style:r=>{let o=s;for(let l of r)for(let a of l.set){let h=t[a.id];if(h){o=o?o+" "+h:h;break}}return o},scope:i}}function ad(n,e){let t=null;
for(let i of n){let s=i.style(e);s&&(t=t?t+" "+s:s)}return t}function uh(n,e,t,i=0,s=n.length){let r=new so(i,Array.isArray(e)?e:[e],t);r.highlightRange(n.cursor(),
i,s,"",r.highlighters),r.flush(s)}var so=class{constructor(e,t,i){this.at=e,this.highlighters=t,this.span=i,this.class=""}startSpan(e,t){t!=this.class&&(this.flush(e),e>this.at&&(this.at=e),this.
class=t)}flush(e){e>this.at&&this.class&&this.span(this.at,e,this.class)}highlightRange(e,t,i,s,r){let{type:o,from:l,to:a}=e;if(l>=i||a<=t)return;o.isTop&&(r=this.
highlighters.filter(d=>!d.scope||d.scope(o)));let h=s,f=hd(e)||Wt.empty,c=ad(r,f.tags);if(c&&(h&&(h+=" "),h+=c,f.mode==1&&(s+=(s?" ":"")+c)),this.startSpan(Math.
max(t,l),h),f.opaque)return;let u=e.tree&&e.tree.prop(M.mounted);if(u&&u.overlay){let d=e.node.enter(u.overlay[0].from+l,1),p=this.highlighters.filter(g=>!g.scope||
g.scope(u.tree.type)),m=e.firstChild();for(let g=0,y=l;;g++){let C=g<u.overlay.length?u.overlay[g]:null,k=C?C.from+l:a,R=Math.max(t,y),x=Math.min(i,k);if(R<x&&m)
for(;e.from<x&&(this.highlightRange(e,R,x,s,r),this.startSpan(Math.min(x,e.to),h),!(e.to>=k||!e.nextSibling())););if(!C||k>i)break;y=C.to+l,y>t&&(this.highlightRange(
d.cursor(),Math.max(t,C.from+l),Math.min(i,y),"",p),this.startSpan(Math.min(i,y),h))}m&&e.parent()}else if(e.firstChild()){u&&(s="");do if(!(e.to<=t)){if(e.from>=
i)break;this.highlightRange(e,t,i,s,r),this.startSpan(Math.min(i,e.to),h)}while(e.nextSibling());e.parent()}}};function hd(n){let e=n.type.prop(ch);for(;e&&e.context&&
!n.matchContext(e.context);)e=e.next;return e||null}var S=We.define,Un=S(),yt=S(),hh=S(yt),fh=S(yt),bt=S(),jn=S(bt),no=S(bt),je=S(),$t=S(je),He=S(),Ue=S(),ro=S(),
Fi=S(ro),Gn=S(),O={comment:Un,lineComment:S(Un),blockComment:S(Un),docComment:S(Un),name:yt,variableName:S(yt),typeName:hh,tagName:S(hh),propertyName:fh,attributeName:S(
fh),className:S(yt),labelName:S(yt),namespace:S(yt),macroName:S(yt),literal:bt,string:jn,docString:S(jn),character:S(jn),attributeValue:S(jn),number:no,integer:S(
no),float:S(no),bool:S(bt),regexp:S(bt),escape:S(bt),color:S(bt),url:S(bt),keyword:He,self:S(He),null:S(He),atom:S(He),unit:S(He),modifier:S(He),operatorKeyword:S(
He),controlKeyword:S(He),definitionKeyword:S(He),moduleKeyword:S(He),operator:Ue,derefOperator:S(Ue),arithmeticOperator:S(Ue),logicOperator:S(Ue),bitwiseOperator:S(
Ue),compareOperator:S(Ue),updateOperator:S(Ue),definitionOperator:S(Ue),typeOperator:S(Ue),controlOperator:S(Ue),punctuation:ro,separator:S(ro),bracket:Fi,angleBracket:S(
Fi),squareBracket:S(Fi),paren:S(Fi),brace:S(Fi),content:je,heading:$t,heading1:S($t),heading2:S($t),heading3:S($t),heading4:S($t),heading5:S($t),heading6:S($t),
contentSeparator:S(je),list:S(je),quote:S(je),emphasis:S(je),strong:S(je),link:S(je),monospace:S(je),strikethrough:S(je),inserted:S(),deleted:S(),changed:S(),invalid:S(),
meta:Gn,documentMeta:S(Gn),annotation:S(Gn),processingInstruction:S(Gn),definition:We.defineModifier("definition"),constant:We.defineModifier("constant"),function:We.
defineModifier("function"),standard:We.defineModifier("standard"),local:We.defineModifier("local"),special:We.defineModifier("special")};for(let n in O){let e=O[n];
e instanceof We&&(e.name=n)}var zg=_i([{tag:O.link,class:"tok-link"},{tag:O.heading,class:"tok-heading"},{tag:O.emphasis,class:"tok-emphasis"},{tag:O.strong,class:"\
tok-strong"},{tag:O.keyword,class:"tok-keyword"},{tag:O.atom,class:"tok-atom"},{tag:O.bool,class:"tok-bool"},{tag:O.url,class:"tok-url"},{tag:O.labelName,class:"\
tok-labelName"},{tag:O.inserted,class:"tok-inserted"},{tag:O.deleted,class:"tok-deleted"},{tag:O.literal,class:"tok-literal"},{tag:O.string,class:"tok-string"},
{tag:O.number,class:"tok-number"},{tag:[O.regexp,O.escape,O.special(O.string)],class:"tok-string2"},{tag:O.variableName,class:"tok-variableName"},{tag:O.local(O.
variableName),class:"tok-variableName tok-local"},{tag:O.definition(O.variableName),class:"tok-variableName tok-definition"},{tag:O.special(O.variableName),class:"\
tok-variableName2"},{tag:O.definition(O.propertyName),class:"tok-propertyName tok-definition"},{tag:O.typeName,class:"tok-typeName"},{tag:O.namespace,class:"tok\
-namespace"},{tag:O.className,class:"tok-className"},{tag:O.macroName,class:"tok-macroName"},{tag:O.propertyName,class:"tok-propertyName"},{tag:O.operator,class:"\
tok-operator"},{tag:O.comment,class:"tok-comment"},{tag:O.meta,class:"tok-meta"},{tag:O.invalid,class:"tok-invalid"},{tag:O.punctuation,class:"tok-punctuation"}]);var oo,ui=new M;function fd(n){return Q.define({combine:n?e=>e.concat(n):void 0})}var cd=new M,ye=class{constructor(e,t,i=[],s=""){this.data=e,this.name=s,X.prototype.
hasOwnProperty("tree")||Object.defineProperty(X.prototype,"tree",{get(){return ce(this)}}),this.parser=t,this.extension=[di.of(this),X.languageData.of((r,o,l)=>{
let a=dh(r,o,l),h=a.type.prop(ui);if(!h)return[];let f=r.facet(h),c=a.type.prop(cd);if(c){let u=a.resolve(o-a.from,l);for(let d of c)if(d.test(u,r)){let p=r.facet(
d.facet);return d.type=="replace"?p:p.concat(f)}}return f})].concat(i)}isActiveAt(e,t,i=-1){return dh(e,t,i).type.prop(ui)==this.data}findRegions(e){let t=e.facet(
di);if(t?.data==this.data)return[{from:0,to:e.doc.length}];if(!t||!t.allowsNesting)return[];let i=[],s=(r,o)=>{if(r.prop(ui)==this.data){i.push({from:o,to:o+r.length});
return}let l=r.prop(M.mounted);if(l){if(l.tree.prop(ui)==this.data){if(l.overlay)for(let a of l.overlay)i.push({from:a.from+o,to:a.to+o});else i.push({from:o,to:o+
r.length});return}else if(l.overlay){let a=i.length;if(s(l.tree,l.overlay[0].from+o),i.length>a)return}}for(let a=0;a<r.children.length;a++){let h=r.children[a];
h instanceof G&&s(h,r.positions[a]+o)}};return s(ce(e),0),i}get allowsNesting(){return!0}};ye.setState=I.define();function dh(n,e,t){let i=n.facet(di),s=ce(n).topNode;
if(!i||i.allowsNesting)for(let r=s;r;r=r.enter(e,t,H.ExcludeBuffers|H.EnterBracketed))r.type.isTop&&(s=r);return s}var Kn=class n extends ye{constructor(e,t,i){
super(e,t,[],i),this.parser=t}static define(e){let t=fd(e.languageData);return new n(t,e.parser.configure({props:[ui.add(i=>i.isTop?t:void 0)]}),e.name)}configure(e,t){
return new n(this.data,this.parser.configure(e),t||this.name)}get allowsNesting(){return this.parser.hasWrappers()}};function ce(n){let e=n.field(ye.state,!1);return e?
e.tree:G.empty}var fo=class{constructor(e){this.doc=e,this.cursorPos=0,this.string="",this.cursor=e.iter()}get length(){return this.doc.length}syncTo(e){return this.string=this.
cursor.next(e-this.cursorPos).value,this.cursorPos=e+this.string.length,this.cursorPos-this.string.length}chunk(e){return this.syncTo(e),this.string}get lineChunks(){
return!0}read(e,t){let i=this.cursorPos-this.string.length;return e<i||t>=this.cursorPos?this.doc.sliceString(e,t):this.string.slice(e-i,t-i)}},Hi=null,co=class n{constructor(e,t,i=[],s,r,o,l,a){
this.parser=e,this.state=t,this.fragments=i,this.tree=s,this.treeLen=r,this.viewport=o,this.skipped=l,this.scheduleOn=a,this.parse=null,this.tempSkipped=[]}static create(e,t,i){
return new n(e,t,[],G.empty,0,i,[],null)}startParse(){return this.parser.startParse(new fo(this.state.doc),this.fragments)}work(e,t){return t!=null&&t>=this.state.
doc.length&&(t=void 0),this.tree!=G.empty&&this.isDone(t??this.state.doc.length)?(this.takeTree(),!0):this.withContext(()=>{var i;if(typeof e=="number"){let s=Date.
now()+e;e=()=>Date.now()>s}for(this.parse||(this.parse=this.startParse()),t!=null&&(this.parse.stoppedAt==null||this.parse.stoppedAt>t)&&t<this.state.doc.length&&
this.parse.stopAt(t);;){let s=this.parse.advance();if(s)if(this.fragments=this.withoutTempSkipped(qt.addTree(s,this.fragments,this.parse.stoppedAt!=null)),this.
treeLen=(i=this.parse.stoppedAt)!==null&&i!==void 0?i:this.state.doc.length,this.tree=s,this.parse=null,this.treeLen<(t??this.state.doc.length))this.parse=this.
startParse();else return!0;if(e())return!1}})}takeTree(){let e,t;this.parse&&(e=this.parse.parsedPos)>=this.treeLen&&((this.parse.stoppedAt==null||this.parse.stoppedAt>
e)&&this.parse.stopAt(e),this.withContext(()=>{for(;!(t=this.parse.advance()););}),this.treeLen=e,this.tree=t,this.fragments=this.withoutTempSkipped(qt.addTree(
this.tree,this.fragments,!0)),this.parse=null)}withContext(e){let t=Hi;Hi=this;try{return e()}finally{Hi=t}}withoutTempSkipped(e){for(let t;t=this.tempSkipped.pop();)
e=ph(e,t.from,t.to);return e}changes(e,t){let{fragments:i,tree:s,treeLen:r,viewport:o,skipped:l}=this;if(this.takeTree(),!e.empty){let a=[];if(e.iterChangedRanges(
(h,f,c,u)=>a.push({fromA:h,toA:f,fromB:c,toB:u})),i=qt.applyChanges(i,a),s=G.empty,r=0,o={from:e.mapPos(o.from,-1),to:e.mapPos(o.to,1)},this.skipped.length){l=[];
for(let h of this.skipped){let f=e.mapPos(h.from,1),c=e.mapPos(h.to,-1);f<c&&l.push({from:f,to:c})}}}return new n(this.parser,t,i,s,r,o,l,this.scheduleOn)}updateViewport(e){
if(this.viewport.from==e.from&&this.viewport.to==e.to)return!1;this.viewport=e;let t=this.skipped.length;for(let i=0;i<this.skipped.length;i++){let{from:s,to:r}=this.
skipped[i];s<e.to&&r>e.from&&(this.fragments=ph(this.fragments,s,r),this.skipped.splice(i--,1))}return this.skipped.length>=t?!1:(this.reset(),!0)}reset(){this.
parse&&(this.takeTree(),this.parse=null)}skipUntilInView(e,t){this.skipped.push({from:e,to:t})}static getSkippingParser(e){return new class extends ci{createParse(t,i,s){
let r=s[0].from,o=s[s.length-1].to;return{parsedPos:r,advance(){let a=Hi;if(a){for(let h of s)a.tempSkipped.push(h);e&&(a.scheduleOn=a.scheduleOn?Promise.all([a.
scheduleOn,e]):e)}return this.parsedPos=o,new G(re.none,[],[],o-r)},stoppedAt:null,stopAt(){}}}}}isDone(e){e=Math.min(e,this.state.doc.length);let t=this.fragments;
return this.treeLen>=e&&t.length&&t[0].from==0&&t[0].to>=e}static get(){return Hi}};function ph(n,e,t){return qt.applyChanges(n,[{fromA:e,toA:t,fromB:e,toB:t}])}
var Ui=class n{constructor(e){this.context=e,this.tree=e.tree}apply(e){if(!e.docChanged&&this.tree==this.context.tree)return this;let t=this.context.changes(e.changes,
e.state),i=this.context.treeLen==e.startState.doc.length?void 0:Math.max(e.changes.mapPos(this.context.treeLen),t.viewport.to);return t.work(20,i)||t.takeTree(),
new n(t)}static init(e){let t=Math.min(3e3,e.doc.length),i=co.create(e.facet(di).parser,e,{from:0,to:t});return i.work(20,t)||i.takeTree(),new n(i)}};ye.state=ge.
define({create:Ui.init,update(n,e){for(let t of e.effects)if(t.is(ye.setState))return t.value;return e.startState.facet(di)!=e.state.facet(di)?Ui.init(e.state):
n.apply(e)}});var yh=n=>{let e=setTimeout(()=>n(),500);return()=>clearTimeout(e)};typeof requestIdleCallback<"u"&&(yh=n=>{let e=-1,t=setTimeout(()=>{e=requestIdleCallback(
n,{timeout:400})},100);return()=>e<0?clearTimeout(t):cancelIdleCallback(e)});var lo=typeof navigator<"u"&&(!((oo=navigator.scheduling)===null||oo===void 0)&&oo.
isInputPending)?()=>navigator.scheduling.isInputPending():null,ud=qe.fromClass(class{constructor(e){this.view=e,this.working=null,this.workScheduled=0,this.chunkEnd=
-1,this.chunkBudget=-1,this.work=this.work.bind(this),this.scheduleWork()}update(e){let t=this.view.state.field(ye.state).context;(t.updateViewport(e.view.viewport)||
this.view.viewport.to>t.treeLen)&&this.scheduleWork(),(e.docChanged||e.selectionSet)&&(this.view.hasFocus&&(this.chunkBudget+=50),this.scheduleWork()),this.checkAsyncSchedule(
t)}scheduleWork(){if(this.working)return;let{state:e}=this.view,t=e.field(ye.state);(t.tree!=t.context.tree||!t.context.isDone(e.doc.length))&&(this.working=yh(
this.work))}work(e){this.working=null;let t=Date.now();if(this.chunkEnd<t&&(this.chunkEnd<0||this.view.hasFocus)&&(this.chunkEnd=t+3e4,this.chunkBudget=3e3),this.
chunkBudget<=0)return;let{state:i,viewport:{to:s}}=this.view,r=i.field(ye.state);if(r.tree==r.context.tree&&r.context.isDone(s+1e5))return;let o=Date.now()+Math.
min(this.chunkBudget,100,e&&!lo?Math.max(25,e.timeRemaining()-5):1e9),l=r.context.treeLen<s&&i.doc.length>s+1e3,a=r.context.work(()=>lo&&lo()||Date.now()>o,s+(l?
0:1e5));this.chunkBudget-=Date.now()-t,(a||this.chunkBudget<=0)&&(r.context.takeTree(),this.view.dispatch({effects:ye.setState.of(new Ui(r.context))})),this.chunkBudget>
0&&!(a&&!l)&&this.scheduleWork(),this.checkAsyncSchedule(r.context)}checkAsyncSchedule(e){e.scheduleOn&&(this.workScheduled++,e.scheduleOn.then(()=>this.scheduleWork()).
catch(t=>Qe(this.view.state,t)).then(()=>this.workScheduled--),e.scheduleOn=null)}destroy(){this.working&&this.working()}isWorking(){return!!(this.working||this.
workScheduled>0)}},{eventHandlers:{focus(){this.scheduleWork()}}}),di=Q.define({combine(n){return n.length?n[0]:null},enables:n=>[ye.state,ud,P.contentAttributes.
compute([n],e=>{let t=e.facet(n);return t&&t.name?{"data-language":t.name}:{}})]}),Jn=class{constructor(e,t=[]){this.language=e,this.support=t,this.extension=[e,
t]}};var dd=Q.define(),xt=Q.define({combine:n=>{if(!n.length)return"  ";let e=n[0];if(!e||/\S/.test(e)||Array.from(e).some(t=>t!=e[0]))throw new Error("Invalid inden\
t unit: "+JSON.stringify(n[0]));return e}});function ji(n){let e=n.facet(xt);return e.charCodeAt(0)==9?n.tabSize*e.length:e.length}function pi(n,e){let t="",i=n.
tabSize,s=n.facet(xt)[0];if(s=="	"){for(;e>=i;)t+="	",e-=i;s=" "}for(let r=0;r<e;r++)t+=s;return t}function ts(n,e){n instanceof X&&(n=new Lt(n));for(let i of n.
state.facet(dd)){let s=i(n,e);if(s!==void 0)return s}let t=ce(n.state);return t.length>=e?pd(n,t,e):null}var Lt=class{constructor(e,t={}){this.state=e,this.options=t,this.unit=ji(e)}lineAt(e,t=1){let i=this.state.doc.lineAt(e),{simulateBreak:s,simulateDoubleBreak:r}=this.
options;return s!=null&&s>=i.from&&s<=i.to?r&&s==e?{text:"",from:e}:(t<0?s<e:s<=e)?{text:i.text.slice(s-i.from),from:s}:{text:i.text.slice(0,s-i.from),from:i.from}:
i}textAfterPos(e,t=1){if(this.options.simulateDoubleBreak&&e==this.options.simulateBreak)return"";let{text:i,from:s}=this.lineAt(e,t);return i.slice(e-s,Math.min(
i.length,e+100-s))}column(e,t=1){let{text:i,from:s}=this.lineAt(e,t),r=this.countColumn(i,e-s),o=this.options.overrideIndentation?this.options.overrideIndentation(
s):-1;return o>-1&&(r+=o-this.countColumn(i,i.search(/\S|$/))),r}countColumn(e,t=e.length){return ut(e,this.state.tabSize,t)}lineIndent(e,t=1){let{text:i,from:s}=this.
lineAt(e,t),r=this.options.overrideIndentation;if(r){let o=r(s);if(o>-1)return o}return this.countColumn(i,i.search(/\S|$/))}get simulatedBreak(){return this.options.
simulateBreak||null}},yo=new M;function pd(n,e,t){let i=e.resolveStack(t),s=e.resolveInner(t,-1).resolve(t,0).enterUnfinishedNodesBefore(t);if(s!=i.node){let r=[];
for(let o=s;o&&!(o.from<i.node.from||o.to>i.node.to||o.from==i.node.from&&o.type==i.node.type);o=o.parent)r.push(o);for(let o=r.length-1;o>=0;o--)i={node:r[o],next:i}}
return bh(i,n,t)}function bh(n,e,t){for(let i=n;i;i=i.next){let s=gd(i.node);if(s)return s(uo.create(e,t,i))}return 0}function md(n){return n.pos==n.options.simulateBreak&&
n.options.simulateDoubleBreak}function gd(n){let e=n.type.prop(yo);if(e)return e;let t=n.firstChild,i;if(t&&(i=t.type.prop(M.closedBy))){let s=n.lastChild,r=s&&
i.indexOf(s.name)>-1;return o=>xh(o,!0,1,void 0,r&&!md(o)?s.from:void 0)}return n.parent==null?Od:null}function Od(){return 0}var uo=class n extends Lt{constructor(e,t,i){
super(e.state,e.options),this.base=e,this.pos=t,this.context=i}get node(){return this.context.node}static create(e,t,i){return new n(e,t,i)}get textAfter(){return this.
textAfterPos(this.pos)}get baseIndent(){return this.baseIndentFor(this.node)}baseIndentFor(e){let t=this.state.doc.lineAt(e.from);for(;;){let i=e.resolve(t.from);
for(;i.parent&&i.parent.from==i.from;)i=i.parent;if(yd(i,e))break;t=this.state.doc.lineAt(i.from)}return this.lineIndent(t.from)}continue(){return bh(this.context.
next,this.base,this.pos)}};function yd(n,e){for(let t=e;t;t=t.parent)if(n==t)return!0;return!1}function bd(n){let e=n.node,t=e.childAfter(e.from),i=e.lastChild;
if(!t)return null;let s=n.options.simulateBreak,r=n.state.doc.lineAt(t.from),o=s==null||s<=r.from?r.to:Math.min(r.to,s);for(let l=t.to;;){let a=e.childAfter(l);
if(!a||a==i)return null;if(!a.type.isSkipped){if(a.from>=o)return null;let h=/^ */.exec(r.text.slice(t.to-r.from))[0].length;return{from:t.from,to:t.to+h}}l=a.to}}
function is({closing:n,align:e=!0,units:t=1}){return i=>xh(i,e,t,n)}function xh(n,e,t,i,s){let r=n.textAfter,o=r.match(/^\s*/)[0].length,l=i&&r.slice(o,o+i.length)==
i||s==n.pos+o,a=e?bd(n):null;return a?l?n.column(a.from):n.column(a.to):n.baseIndent+(l?0:n.unit*t)}var xd=200;function Sh(){return X.transactionFilter.of(n=>{if(!n.docChanged||!n.isUserEvent("input.type")&&!n.isUserEvent("input.complete"))return n;let e=n.startState.
languageDataAt("indentOnInput",n.startState.selection.main.head);if(!e.length)return n;let t=n.newDoc,{head:i}=n.newSelection.main,s=t.lineAt(i);if(i>s.from+xd)
return n;let r=t.sliceString(s.from,i);if(!e.some(h=>h.test(r)))return n;let{state:o}=n,l=-1,a=[];for(let{head:h}of o.selection.ranges){let f=o.doc.lineAt(h);if(f.
from==l)continue;l=f.from;let c=ts(o,f.from);if(c==null)continue;let u=/^\s*/.exec(f.text)[0],d=pi(o,c);u!=d&&a.push({from:f.from,to:f.from+u.length,insert:d})}
return a.length?[n,{changes:a,sequential:!0}]:n})}var kh=new M;function wh(n){let e=n.firstChild,t=n.lastChild;return e&&e.to<t.from?{from:e.to,to:t.type.isError?n.to:t.from}:null}var es=class n{constructor(e,t){this.specs=e;let i;function s(l){let a=we.newName();return(i||(i=Object.create(null)))["."+a]=l,a}let r=typeof t.all=="string"?t.
all:t.all?s(t.all):void 0,o=t.scope;this.scope=o instanceof ye?l=>l.prop(ui)==o.data:o?l=>l==o:void 0,this.style=_i(e.map(l=>({tag:l.tag,class:l.class||s(Object.
assign({},l,{tag:null}))})),{all:r}).style,this.module=i?new we(i):null,this.themeType=t.themeType}static define(e,t){return new n(e,t||{})}},po=Q.define(),vh=Q.
define({combine(n){return n.length?[n[0]]:null}});function ao(n){let e=n.facet(po);return e.length?e:n.facet(vh)}function Th(n,e){let t=[Sd],i;return n instanceof
es&&(n.module&&t.push(P.styleModule.of(n.module)),i=n.themeType),e?.fallback?t.push(vh.of(n)):i?t.push(po.computeN([P.darkTheme],s=>s.facet(P.darkTheme)==(i=="d\
ark")?[n]:[])):t.push(po.of(n)),t}var mo=class{constructor(e){this.markCache=Object.create(null),this.tree=ce(e.state),this.decorations=this.buildDeco(e,ao(e.state)),this.decoratedTo=e.viewport.
to}update(e){let t=ce(e.state),i=ao(e.state),s=i!=ao(e.startState),{viewport:r}=e.view,o=e.changes.mapPos(this.decoratedTo,1);t.length<r.to&&!s&&t.type==this.tree.
type&&o>=r.to?(this.decorations=this.decorations.map(e.changes),this.decoratedTo=o):(t!=this.tree||e.viewportChanged||s)&&(this.tree=t,this.decorations=this.buildDeco(
e.view,i),this.decoratedTo=r.to)}buildDeco(e,t){if(!t||!this.tree.length)return W.none;let i=new Je;for(let{from:s,to:r}of e.visibleRanges)uh(this.tree,t,(o,l,a)=>{
i.add(o,l,this.markCache[a]||(this.markCache[a]=W.mark({class:a})))},s,r);return i.finish()}},Sd=ft.high(qe.fromClass(mo,{decorations:n=>n.decorations})),jg=es.
define([{tag:O.meta,color:"#404740"},{tag:O.link,textDecoration:"underline"},{tag:O.heading,textDecoration:"underline",fontWeight:"bold"},{tag:O.emphasis,fontStyle:"\
italic"},{tag:O.strong,fontWeight:"bold"},{tag:O.strikethrough,textDecoration:"line-through"},{tag:O.keyword,color:"#708"},{tag:[O.atom,O.bool,O.url,O.contentSeparator,
O.labelName],color:"#219"},{tag:[O.literal,O.inserted],color:"#164"},{tag:[O.string,O.deleted],color:"#a11"},{tag:[O.regexp,O.escape,O.special(O.string)],color:"\
#e40"},{tag:O.definition(O.variableName),color:"#00f"},{tag:O.local(O.variableName),color:"#30a"},{tag:[O.typeName,O.namespace],color:"#085"},{tag:O.className,color:"\
#167"},{tag:[O.special(O.variableName),O.macroName],color:"#256"},{tag:O.definition(O.propertyName),color:"#00c"},{tag:O.comment,color:"#940"},{tag:O.invalid,color:"\
#f00"}]);var kd=1e4,wd="()[]{}";var vd=new M;function go(n,e,t){let i=n.prop(e<0?M.openedBy:M.closedBy);if(i)return i;if(n.name.length==1){let s=t.indexOf(n.name);if(s>-1&&s%2==(e<0?1:0))return[
t[s+e]]}return null}function Oo(n){let e=n.type.prop(vd);return e?e(n.node):n}function zt(n,e,t,i={}){let s=i.maxScanDistance||kd,r=i.brackets||wd,o=ce(n),l=o.resolveInner(
e,t);for(let a=l;a;a=a.parent){let h=go(a.type,t,r);if(h&&a.from<a.to){let f=Oo(a);if(f&&(t>0?e>=f.from&&e<f.to:e>f.from&&e<=f.to))return Td(n,e,t,a,f,h,r)}}return Cd(
n,e,t,o,l.type,s,r)}function Td(n,e,t,i,s,r,o){let l=i.parent,a={from:s.from,to:s.to},h=0,f=l?.cursor();if(f&&(t<0?f.childBefore(i.from):f.childAfter(i.to)))do if(t<
0?f.to<=i.from:f.from>=i.to){if(h==0&&r.indexOf(f.type.name)>-1&&f.from<f.to){let c=Oo(f);return{start:a,end:c?{from:c.from,to:c.to}:void 0,matched:!0}}else if(go(
f.type,t,o))h++;else if(go(f.type,-t,o)){if(h==0){let c=Oo(f);return{start:a,end:c&&c.from<c.to?{from:c.from,to:c.to}:void 0,matched:!1}}h--}}while(t<0?f.prevSibling():
f.nextSibling());return{start:a,matched:!1}}function Cd(n,e,t,i,s,r,o){if(t<0?!e:e==n.doc.length)return null;let l=t<0?n.sliceDoc(e-1,e):n.sliceDoc(e,e+1),a=o.indexOf(
l);if(a<0||a%2==0!=t>0)return null;let h={from:t<0?e-1:e,to:t>0?e+1:e},f=n.doc.iterRange(e,t>0?n.doc.length:0),c=0;for(let u=0;!f.next().done&&u<=r;){let d=f.value;
t<0&&(u+=d.length);let p=e+u*t;for(let m=t>0?0:d.length-1,g=t>0?d.length:-1;m!=g;m+=t){let y=o.indexOf(d[m]);if(!(y<0||i.resolveInner(p+m,1).type!=s))if(y%2==0==
t>0)c++;else{if(c==1)return{start:h,end:{from:p+m,to:p+m+1},matched:y>>1==a>>1};c--}}t>0&&(u+=d.length)}return f.done?{start:h,matched:!1}:null}var Qd=Object.create(null),mh=[re.none];var gh=[],Oh=Object.create(null),Pd=Object.create(null);for(let[n,e]of[["variable","variableName"],["variable-2","variableName.special"],["string-2","string.spe\
cial"],["def","variableName.definition"],["tag","tagName"],["attribute","attributeName"],["type","typeName"],["builtin","variableName.standard"],["qualifier","m\
odifier"],["error","invalid"],["header","heading"],["property","propertyName"]])Pd[n]=Ad(Qd,e);function ho(n,e){gh.indexOf(n)>-1||(gh.push(n),console.warn(e))}function Ad(n,e){let t=[];for(let l of e.split(" ")){let a=[];for(let h of l.split(".")){let f=n[h]||
O[h];f?typeof f=="function"?a.length?a=a.map(f):ho(h,`Modifier ${h} used at start of tag`):a.length?ho(h,`Tag ${h} used as modifier`):a=Array.isArray(f)?f:[f]:ho(
h,`Unknown highlighting tag ${h}`)}for(let h of a)t.push(h)}if(!t.length)return 0;let i=e.replace(/ /g,"_"),s=i+" "+t.map(l=>l.id),r=Oh[s];if(r)return r.id;let o=Oh[s]=
re.define({id:mh.length,name:i,props:[Yn({[i]:t})]});return mh.push(o),o.id}var Gg={rtl:W.mark({class:"cm-iso",inclusive:!0,attributes:{dir:"rtl"},bidiIsolate:N.RTL}),ltr:W.mark({class:"cm-iso",inclusive:!0,attributes:{dir:"ltr"},bidiIsolate:N.
LTR}),auto:W.mark({class:"cm-iso",inclusive:!0,attributes:{dir:"auto"},bidiIsolate:null})};var Rd=n=>{let{state:e}=n,t=e.doc.lineAt(e.selection.main.from),i=To(n.state,t.from);return i.line?Md(n):i.block?Dd(n):!1};function vo(n,e){return({state:t,dispatch:i})=>{
if(t.readOnly)return!1;let s=n(e,t);return s?(i(t.update(s)),!0):!1}}var Md=vo($d,0);var Ed=vo(Bh,0);var Dd=vo((n,e)=>Bh(n,e,qd(e)),0);function To(n,e){let t=n.languageDataAt("commentTokens",e,1);return t.length?t[0]:{}}var Gi=50;function Bd(n,{open:e,close:t},i,s){
let r=n.sliceDoc(i-Gi,i),o=n.sliceDoc(s,s+Gi),l=/\s*$/.exec(r)[0].length,a=/^\s*/.exec(o)[0].length,h=r.length-l;if(r.slice(h-e.length,h)==e&&o.slice(a,a+t.length)==
t)return{open:{pos:i-l,margin:l&&1},close:{pos:s+a,margin:a&&1}};let f,c;s-i<=2*Gi?f=c=n.sliceDoc(i,s):(f=n.sliceDoc(i,i+Gi),c=n.sliceDoc(s-Gi,s));let u=/^\s*/.
exec(f)[0].length,d=/\s*$/.exec(c)[0].length,p=c.length-d-t.length;return f.slice(u,u+e.length)==e&&c.slice(p,p+t.length)==t?{open:{pos:i+u+e.length,margin:/\s/.
test(f.charAt(u+e.length))?1:0},close:{pos:s-d-t.length,margin:/\s/.test(c.charAt(p-1))?1:0}}:null}function qd(n){let e=[];for(let t of n.selection.ranges){let i=n.
doc.lineAt(t.from),s=t.to<=i.to?i:n.doc.lineAt(t.to);s.from>i.from&&s.from==t.to&&(s=t.to==i.to+1?i:n.doc.lineAt(t.to-1));let r=e.length-1;r>=0&&e[r].to>i.from?
e[r].to=s.to:e.push({from:i.from+/^\s*/.exec(i.text)[0].length,to:s.to})}return e}function Bh(n,e,t=e.selection.ranges){let i=t.map(r=>To(e,r.from).block);if(!i.
every(r=>r))return null;let s=t.map((r,o)=>Bd(e,i[o],r.from,r.to));if(n!=2&&!s.every(r=>r))return{changes:e.changes(t.map((r,o)=>s[o]?[]:[{from:r.from,insert:i[o].
open+" "},{from:r.to,insert:" "+i[o].close}]))};if(n!=1&&s.some(r=>r)){let r=[];for(let o=0,l;o<s.length;o++)if(l=s[o]){let a=i[o],{open:h,close:f}=l;r.push({from:h.
pos-a.open.length,to:h.pos+h.margin},{from:f.pos-f.margin,to:f.pos+a.close.length})}return{changes:r}}return null}function $d(n,e,t=e.selection.ranges){let i=[],
s=-1;e:for(let{from:r,to:o}of t){let l=i.length,a=1e9,h;for(let f=r;f<=o;){let c=e.doc.lineAt(f);if(h==null&&(h=To(e,c.from).line,!h))continue e;if(c.from>s&&(r==
o||o>c.from)){s=c.from;let u=/^\s*/.exec(c.text)[0].length,d=u==c.length,p=c.text.slice(u,u+h.length)==h?u:-1;u<c.text.length&&u<a&&(a=u),i.push({line:c,comment:p,
token:h,indent:u,empty:d,single:!1})}f=c.to+1}if(a<1e9)for(let f=l;f<i.length;f++)i[f].indent<i[f].line.text.length&&(i[f].indent=a);i.length==l+1&&(i[l].single=
!0)}if(n!=2&&i.some(r=>r.comment<0&&(!r.empty||r.single))){let r=[];for(let{line:l,token:a,indent:h,empty:f,single:c}of i)(c||!f)&&r.push({from:l.from+h,insert:a+
" "});let o=e.changes(r);return{changes:o,selection:e.selection.map(o,1)}}else if(n!=1&&i.some(r=>r.comment>=0)){let r=[];for(let{line:o,comment:l,token:a}of i)
if(l>=0){let h=o.from+l,f=h+a.length;o.text[f-o.from]==" "&&f++,r.push({from:h,to:f})}return{changes:r}}return null}var xo=ue.define(),Wd=ue.define(),Ld=Q.define(),
qh=Q.define({combine(n){return ct(n,{minDepth:100,newGroupDelay:500,joinToEvent:(e,t)=>t},{minDepth:Math.max,newGroupDelay:Math.min,joinToEvent:(e,t)=>(i,s)=>e(
i,s)||t(i,s)})}}),$h=ge.define({create(){return It.empty},update(n,e){let t=e.state.facet(qh),i=e.annotation(xo);if(i){let a=Le.fromTransaction(e,i.selection),h=i.
side,f=h==0?n.undone:n.done;return a?f=ss(f,f.length,t.minDepth,a):f=Ih(f,e.startState.selection),new It(h==0?i.rest:f,h==0?f:i.rest)}let s=e.annotation(Wd);if((s==
"full"||s=="before")&&(n=n.isolate()),e.annotation(Z.addToHistory)===!1)return e.changes.empty?n:n.addMapping(e.changes.desc);let r=Le.fromTransaction(e),o=e.annotation(
Z.time),l=e.annotation(Z.userEvent);return r?n=n.addChanges(r,o,l,t,e):e.selection&&(n=n.addSelection(e.startState.selection,o,l,t.newGroupDelay)),(s=="full"||s==
"after")&&(n=n.isolate()),n},toJSON(n){return{done:n.done.map(e=>e.toJSON()),undone:n.undone.map(e=>e.toJSON())}},fromJSON(n){return new It(n.done.map(Le.fromJSON),
n.undone.map(Le.fromJSON))}});function Wh(n={}){return[$h,qh.of(n),P.domEventHandlers({beforeinput(e,t){let i=e.inputType=="historyUndo"?Lh:e.inputType=="histor\
yRedo"?So:null;return i?(e.preventDefault(),i(t)):!1}})]}function rs(n,e){return function({state:t,dispatch:i}){if(!e&&t.readOnly)return!1;let s=t.field($h,!1);if(!s)return!1;let r=s.pop(n,t,e);return r?(i(r),!0):!1}}
var Lh=rs(0,!1),So=rs(1,!1),zd=rs(0,!0),Id=rs(1,!0);var Le=class n{constructor(e,t,i,s,r){this.changes=e,this.effects=t,this.mapped=i,this.startSelection=s,this.selectionsAfter=r}setSelAfter(e){return new n(this.
changes,this.effects,this.mapped,this.startSelection,e)}toJSON(){var e,t,i;return{changes:(e=this.changes)===null||e===void 0?void 0:e.toJSON(),mapped:(t=this.mapped)===
null||t===void 0?void 0:t.toJSON(),startSelection:(i=this.startSelection)===null||i===void 0?void 0:i.toJSON(),selectionsAfter:this.selectionsAfter.map(s=>s.toJSON())}}static fromJSON(e){
return new n(e.changes&&ae.fromJSON(e.changes),[],e.mapped&&Ke.fromJSON(e.mapped),e.startSelection&&b.fromJSON(e.startSelection),e.selectionsAfter.map(b.fromJSON))}static fromTransaction(e,t){
let i=Ae;for(let s of e.startState.facet(Ld)){let r=s(e);r.length&&(i=i.concat(r))}return!i.length&&e.changes.empty?null:new n(e.changes.invert(e.startState.doc),
i,void 0,t||e.startState.selection,Ae)}static selection(e){return new n(void 0,Ae,void 0,void 0,e)}};function ss(n,e,t,i){let s=e+1>t+20?e-t-1:0,r=n.slice(s,e);
return r.push(i),r}function Nd(n,e){let t=[],i=!1;return n.iterChangedRanges((s,r)=>t.push(s,r)),e.iterChangedRanges((s,r,o,l)=>{for(let a=0;a<t.length;){let h=t[a++],
f=t[a++];l>=h&&o<=f&&(i=!0)}}),i}function Vd(n,e){return n.ranges.length==e.ranges.length&&n.ranges.filter((t,i)=>t.empty!=e.ranges[i].empty).length===0}function zh(n,e){
return n.length?e.length?n.concat(e):n:e}var Ae=[],Xd=200;function Ih(n,e){if(n.length){let t=n[n.length-1],i=t.selectionsAfter.slice(Math.max(0,t.selectionsAfter.
length-Xd));return i.length&&i[i.length-1].eq(e)?n:(i.push(e),ss(n,n.length-1,1e9,t.setSelAfter(i)))}else return[Le.selection([e])]}function Fd(n){let e=n[n.length-
1],t=n.slice();return t[n.length-1]=e.setSelAfter(e.selectionsAfter.slice(0,e.selectionsAfter.length-1)),t}function bo(n,e){if(!n.length)return n;let t=n.length,
i=Ae;for(;t;){let s=_d(n[t-1],e,i);if(s.changes&&!s.changes.empty||s.effects.length){let r=n.slice(0,t);return r[t-1]=s,r}else e=s.mapped,t--,i=s.selectionsAfter}
return i.length?[Le.selection(i)]:Ae}function _d(n,e,t){let i=zh(n.selectionsAfter.length?n.selectionsAfter.map(l=>l.map(e)):Ae,t);if(!n.changes)return Le.selection(
i);let s=n.changes.map(e),r=e.mapDesc(n.changes,!0),o=n.mapped?n.mapped.composeDesc(r):r;return new Le(s,I.mapEffects(n.effects,e),o,n.startSelection.map(r),i)}
var Hd=/^(input\.type|delete)($|\.)/,It=class n{constructor(e,t,i=0,s=void 0){this.done=e,this.undone=t,this.prevTime=i,this.prevUserEvent=s}isolate(){return this.
prevTime?new n(this.done,this.undone):this}addChanges(e,t,i,s,r){let o=this.done,l=o[o.length-1];return l&&l.changes&&!l.changes.empty&&e.changes&&(!i||Hd.test(
i))&&(!l.selectionsAfter.length&&t-this.prevTime<s.newGroupDelay&&s.joinToEvent(r,Nd(l.changes,e.changes))||i=="input.type.compose")?o=ss(o,o.length-1,s.minDepth,
new Le(e.changes.compose(l.changes),zh(I.mapEffects(e.effects,l.changes),l.effects),l.mapped,l.startSelection,Ae)):o=ss(o,o.length,s.minDepth,e),new n(o,Ae,t,i)}addSelection(e,t,i,s){
let r=this.done.length?this.done[this.done.length-1].selectionsAfter:Ae;return r.length>0&&t-this.prevTime<s&&i==this.prevUserEvent&&i&&/^select($|\.)/.test(i)&&
Vd(r[r.length-1],e)?this:new n(Ih(this.done,e),this.undone,t,i)}addMapping(e){return new n(bo(this.done,e),bo(this.undone,e),this.prevTime,this.prevUserEvent)}pop(e,t,i){
let s=e==0?this.done:this.undone;if(s.length==0)return null;let r=s[s.length-1],o=r.selectionsAfter[0]||(r.startSelection?r.startSelection.map(r.changes.invertedDesc,
1):t.selection);if(i&&r.selectionsAfter.length)return t.update({selection:r.selectionsAfter[r.selectionsAfter.length-1],annotations:xo.of({side:e,rest:Fd(s),selection:o}),
userEvent:e==0?"select.undo":"select.redo",scrollIntoView:!0});if(r.changes){let l=s.length==1?Ae:s.slice(0,s.length-1);return r.mapped&&(l=bo(l,r.mapped)),t.update(
{changes:r.changes,selection:r.startSelection,effects:r.effects,annotations:xo.of({side:e,rest:l,selection:o}),filter:!1,userEvent:e==0?"undo":"redo",scrollIntoView:!0})}else
return null}};It.empty=new It(Ae,Ae);var Nh=[{key:"Mod-z",run:Lh,preventDefault:!0},{key:"Mod-y",mac:"Mod-Shift-z",run:So,preventDefault:!0},{linux:"Ctrl-Shift-\
z",run:So,preventDefault:!0},{key:"Mod-u",run:zd,preventDefault:!0},{key:"Alt-u",mac:"Mod-Shift-u",run:Id,preventDefault:!0}];function mi(n,e){return b.create(n.
ranges.map(e),n.mainIndex)}function ze(n,e){return n.update({selection:e,scrollIntoView:!0,userEvent:"select"})}function Ie({state:n,dispatch:e},t){let i=mi(n.selection,
t);return i.eq(n.selection,!0)?!1:(e(ze(n,i)),!0)}function os(n,e){return b.cursor(e?n.to:n.from)}function Vh(n,e){return Ie(n,t=>t.empty?n.moveByChar(t,e):os(t,
e))}function oe(n){return n.textDirectionAt(n.state.selection.main.head)==N.LTR}var Xh=n=>Vh(n,!oe(n)),Fh=n=>Vh(n,oe(n));function _h(n,e){return Ie(n,t=>t.empty?n.moveByGroup(t,e):os(t,e))}var Ud=n=>_h(n,!oe(n)),jd=n=>_h(n,oe(n));var iO=typeof Intl<"u"&&Intl.Segmenter?new Intl.Segmenter(void 0,{granularity:"word"}):null;function Gd(n,e,t){if(e.type.prop(t))return!0;let i=e.to-e.from;return i&&(i>2||/[^\s,.;:]/.test(n.sliceDoc(e.from,e.to)))||e.firstChild}function ls(n,e,t){let i=ce(
n).resolveInner(e.head),s=t?M.closedBy:M.openedBy;for(let a=e.head;;){let h=t?i.childAfter(a):i.childBefore(a);if(!h)break;Gd(n,h,s)?i=h:a=t?h.to:h.from}let r=i.
type.prop(s),o,l;return r&&(o=t?zt(n,i.from,1):zt(n,i.to,-1))&&o.matched?l=t?o.end.to:o.end.from:l=t?i.to:i.from,b.cursor(l,t?-1:1)}var Zd=n=>Ie(n,e=>ls(n.state,
e,!oe(n))),Yd=n=>Ie(n,e=>ls(n.state,e,oe(n)));function Hh(n,e){return Ie(n,t=>{if(!t.empty)return os(t,e);let i=n.moveVertically(t,e);return i.head!=t.head?i:n.
moveToLineBoundary(t,e)})}var Uh=n=>Hh(n,!1),jh=n=>Hh(n,!0);function Gh(n){let e=n.scrollDOM.clientHeight<n.scrollDOM.scrollHeight-2,t=0,i=0,s;if(e){for(let r of n.
state.facet(P.scrollMargins)){let o=r(n);o?.top&&(t=Math.max(o?.top,t)),o?.bottom&&(i=Math.max(o?.bottom,i))}s=n.scrollDOM.clientHeight-t-i}else s=(n.dom.ownerDocument.
defaultView||window).innerHeight;return{marginTop:t,marginBottom:i,selfScroll:e,height:Math.max(n.defaultLineHeight,s-5)}}function Zh(n,e){let t=Gh(n),{state:i}=n,
s=mi(i.selection,o=>o.empty?n.moveVertically(o,e,t.height):os(o,e));if(s.eq(i.selection))return!1;let r;if(t.selfScroll){let o=n.coordsAtPos(i.selection.main.head),
l=n.scrollDOM.getBoundingClientRect(),a=l.top+t.marginTop,h=l.bottom-t.marginBottom;o&&o.top>a&&o.bottom<h&&(r=P.scrollIntoView(s.main.head,{y:"start",yMargin:o.
top-a}))}return n.dispatch(ze(i,s),{effects:r}),!0}var Ch=n=>Zh(n,!1),ko=n=>Zh(n,!0);function St(n,e,t){let i=n.lineBlockAt(e.head),s=n.moveToLineBoundary(e,t);
if(s.head==e.head&&s.head!=(t?i.to:i.from)&&(s=n.moveToLineBoundary(e,t,!1)),!t&&s.head==i.from&&i.length){let r=/^\s*/.exec(n.state.sliceDoc(i.from,Math.min(i.
from+100,i.to)))[0].length;r&&e.head!=i.from+r&&(s=b.cursor(i.from+r))}return s}var Kd=n=>Ie(n,e=>St(n,e,!0)),Jd=n=>Ie(n,e=>St(n,e,!1)),ep=n=>Ie(n,e=>St(n,e,!oe(
n))),tp=n=>Ie(n,e=>St(n,e,oe(n))),ip=n=>Ie(n,e=>n.moveToLineBoundary(e,!1,!1)),np=n=>Ie(n,e=>n.moveToLineBoundary(e,!0,!1));function sp(n,e,t){let i=!1,s=mi(n.selection,
r=>{let o=zt(n,r.head,-1)||zt(n,r.head,1)||r.head>0&&zt(n,r.head-1,1)||r.head<n.doc.length&&zt(n,r.head+1,-1);if(!o||!o.end)return r;i=!0;let l=o.start.from==r.
head?o.end.to:o.end.from;return t?b.range(r.anchor,l):b.cursor(l)});return i?(e(ze(n,s)),!0):!1}var rp=({state:n,dispatch:e})=>sp(n,e,!1);function Re(n,e,t){let i=mi(n.state.selection,s=>{s.undirectional&&s.head>=s.anchor!=e&&(s=b.range(s.head,s.anchor));let r=t(s);return b.range(s.anchor,r.head,r.
goalColumn,r.bidiLevel||void 0,r.assoc)});return i.eq(n.state.selection)?!1:(n.dispatch(ze(n.state,i)),!0)}function Yh(n,e){return Re(n,e,t=>n.moveByChar(t,e))}
var Kh=n=>Yh(n,!oe(n)),Jh=n=>Yh(n,oe(n));function ef(n,e){return Re(n,e,t=>n.moveByGroup(t,e))}var op=n=>ef(n,!oe(n)),lp=n=>ef(n,oe(n));var ap=n=>{let e=!oe(n);return Re(n,e,t=>ls(n.state,t,e))},hp=n=>{let e=oe(n);return Re(n,e,t=>ls(n.state,t,e))};function tf(n,e){return Re(n,e,t=>n.moveVertically(
t,e))}var nf=n=>tf(n,!1),sf=n=>tf(n,!0);function rf(n,e){return Re(n,e,t=>n.moveVertically(t,e,Gh(n).height))}var Qh=n=>rf(n,!1),Ph=n=>rf(n,!0),fp=n=>Re(n,!0,e=>St(
n,e,!0)),cp=n=>Re(n,!1,e=>St(n,e,!1)),up=n=>{let e=!oe(n);return Re(n,e,t=>St(n,t,e))},dp=n=>{let e=oe(n);return Re(n,e,t=>St(n,t,e))},pp=n=>Re(n,!1,e=>b.cursor(
n.lineBlockAt(e.head).from)),mp=n=>Re(n,!0,e=>b.cursor(n.lineBlockAt(e.head).to)),Ah=({state:n,dispatch:e})=>(e(ze(n,{anchor:0})),!0),Rh=({state:n,dispatch:e})=>(e(
ze(n,{anchor:n.doc.length})),!0),Mh=({state:n,dispatch:e})=>(e(ze(n,{anchor:n.selection.main.anchor,head:0})),!0),Eh=({state:n,dispatch:e})=>(e(ze(n,{anchor:n.selection.
main.anchor,head:n.doc.length})),!0),gp=({state:n,dispatch:e})=>(e(n.update({selection:{anchor:0,head:n.doc.length},userEvent:"select"})),!0),Op=({state:n,dispatch:e})=>{
let t=as(n).map(({from:i,to:s})=>b.undirectionalRange(i,Math.min(s+1,n.doc.length)));return e(n.update({selection:b.create(t),userEvent:"select"})),!0},yp=({state:n,
dispatch:e})=>{let t=mi(n.selection,i=>{let s=ce(n),r=s.resolveStack(i.from,1);if(i.empty){let o=s.resolveStack(i.from,-1);o.node.from>=r.node.from&&o.node.to<=
r.node.to&&(r=o)}for(let o=r;o;o=o.next){let{node:l}=o;if((l.from<i.from&&l.to>=i.to||l.to>i.to&&l.from<=i.from)&&o.next)return b.undirectionalRange(l.from,l.to)}
return i});return t.eq(n.selection)?!1:(e(ze(n,t)),!0)};function of(n,e){let{state:t}=n,i=t.selection,s=t.selection.ranges.slice();for(let r of t.selection.ranges){
let o=t.doc.lineAt(r.head);if(e?o.to<n.state.doc.length:o.from>0)for(let l=r;;){let a=n.moveVertically(l,e);if(a.head<o.from||a.head>o.to){s.some(h=>h.head==a.head)||
s.push(a);break}else{if(a.head==l.head)break;l=a}}}return s.length==i.ranges.length?!1:(n.dispatch(ze(t,b.create(s,s.length-1))),!0)}var bp=n=>of(n,!1),xp=n=>of(
n,!0),Sp=({state:n,dispatch:e})=>{let t=n.selection,i=null;return t.ranges.length>1?i=b.create([t.main]):t.main.empty||(i=b.create([b.cursor(t.main.head)])),i?(e(
ze(n,i)),!0):!1};function Zi(n,e){if(n.state.readOnly)return!1;let t="delete.selection",{state:i}=n,s=i.changeByRange(r=>{let{from:o,to:l}=r;if(o==l){let a=e(r);
a<o?(t="delete.backward",a=ns(n,a,!1)):a>o&&(t="delete.forward",a=ns(n,a,!0)),o=Math.min(o,a),l=Math.max(l,a)}else o=ns(n,o,!1),l=ns(n,l,!0);return o==l?{range:r}:
{changes:{from:o,to:l},range:b.cursor(o,o<r.head?-1:1)}});return s.changes.empty?!1:(n.dispatch(i.update(s,{scrollIntoView:!0,userEvent:t,effects:t=="delete.sel\
ection"?P.announce.of(i.phrase("Selection deleted")):void 0})),!0)}function ns(n,e,t){if(n instanceof P)for(let i of n.state.facet(P.atomicRanges).map(s=>s(n)))
i.between(e,e,(s,r)=>{s<e&&r>e&&(e=t?r:s)});return e}var lf=(n,e,t)=>Zi(n,i=>{let s=i.from,{state:r}=n,o=r.doc.lineAt(s),l,a;if(t&&!e&&s>o.from&&s<o.from+200&&!/[^ \t]/.
test(l=o.text.slice(0,s-o.from))){if(l[l.length-1]=="	")return s-1;let h=ut(l,r.tabSize),f=h%ji(r)||ji(r);for(let c=0;c<f&&l[l.length-1-c]==" ";c++)s--;a=s}else
a=K(o.text,s-o.from,e,e)+o.from,a==s&&o.number!=(e?r.doc.lines:1)?a+=e?1:-1:!e&&/[\ufe00-\ufe0f]/.test(o.text.slice(a-o.from,s-o.from))&&(a=K(o.text,a-o.from,!1,
!1)+o.from);return a}),wo=n=>lf(n,!1,!0);var af=n=>lf(n,!0,!1),hf=(n,e)=>Zi(n,t=>{let i=t.head,{state:s}=n,r=s.doc.lineAt(i),o=s.charCategorizer(i);for(let l=null;;){if(i==(e?r.to:r.from)){i==t.head&&r.
number!=(e?s.doc.lines:1)&&(i+=e?1:-1);break}let a=K(r.text,i-r.from,e)+r.from,h=r.text.slice(Math.min(i,a)-r.from,Math.max(i,a)-r.from),f=o(h);if(l!=null&&f!=l)
break;(h!=" "||i!=t.head)&&(l=f),i=a}return i}),ff=n=>hf(n,!1),kp=n=>hf(n,!0);var wp=n=>Zi(n,e=>{let t=n.lineBlockAt(e.head).to;return e.head<t?t:Math.min(n.state.doc.length,e.head+1)});var vp=n=>Zi(n,e=>{let t=n.moveToLineBoundary(e,!1).head;return e.head>t?t:Math.max(0,e.head-1)}),Tp=n=>Zi(n,e=>{let t=n.moveToLineBoundary(e,!0).head;return e.
head<t?t:Math.min(n.state.doc.length,e.head+1)});var Cp=({state:n,dispatch:e})=>{if(n.readOnly)return!1;let t=n.changeByRange(i=>({changes:{from:i.from,to:i.to,insert:D.of(["",""])},range:b.cursor(i.from)}));return e(
n.update(t,{scrollIntoView:!0,userEvent:"input"})),!0},Qp=({state:n,dispatch:e})=>{if(n.readOnly)return!1;let t=n.changeByRange(i=>{if(!i.empty||i.from==0||i.from==
n.doc.length)return{range:i};let s=i.from,r=n.doc.lineAt(s),o=s==r.from?s-1:K(r.text,s-r.from,!1)+r.from,l=s==r.to?s+1:K(r.text,s-r.from,!0)+r.from;return{changes:{
from:o,to:l,insert:n.doc.slice(s,l).append(n.doc.slice(o,s))},range:b.cursor(l)}});return t.changes.empty?!1:(e(n.update(t,{scrollIntoView:!0,userEvent:"move.ch\
aracter"})),!0)};function as(n){let e=[],t=-1;for(let i of n.selection.ranges){let s=n.doc.lineAt(i.from),r=n.doc.lineAt(i.to);if(!i.empty&&i.to==r.from&&(r=n.doc.
lineAt(i.to-1)),t>=s.number){let o=e[e.length-1];o.to=r.to,o.ranges.push(i)}else e.push({from:s.from,to:r.to,ranges:[i]});t=r.number+1}return e}function cf(n,e,t){
if(n.readOnly)return!1;let i=[],s=[];for(let r of as(n)){if(t?r.to==n.doc.length:r.from==0)continue;let o=n.doc.lineAt(t?r.to+1:r.from-1),l=o.length+1;if(t){i.push(
{from:r.to,to:o.to},{from:r.from,insert:o.text+n.lineBreak});for(let a of r.ranges)s.push(b.range(Math.min(n.doc.length,a.anchor+l),Math.min(n.doc.length,a.head+
l)))}else{i.push({from:o.from,to:r.from},{from:r.to,insert:n.lineBreak+o.text});for(let a of r.ranges)s.push(b.range(a.anchor-l,a.head-l))}}return i.length?(e(n.
update({changes:i,scrollIntoView:!0,selection:b.create(s,n.selection.mainIndex),userEvent:"move.line"})),!0):!1}var Pp=({state:n,dispatch:e})=>cf(n,e,!1),Ap=({state:n,
dispatch:e})=>cf(n,e,!0);function uf(n,e,t){if(n.readOnly)return!1;let i=[];for(let r of as(n))t?i.push({from:r.from,insert:n.doc.slice(r.from,r.to)+n.lineBreak}):
i.push({from:r.to,insert:n.lineBreak+n.doc.slice(r.from,r.to)});let s=n.changes(i);return e(n.update({changes:s,selection:n.selection.map(s,t?1:-1),scrollIntoView:!0,
userEvent:"input.copyline"})),!0}var Rp=({state:n,dispatch:e})=>uf(n,e,!1),Mp=({state:n,dispatch:e})=>uf(n,e,!0),Ep=n=>{if(n.state.readOnly)return!1;let{state:e}=n,
t=e.changes(as(e).map(({from:s,to:r})=>(s>0?s--:r<e.doc.length&&r++,{from:s,to:r}))),i=mi(e.selection,s=>{let r;if(n.lineWrapping){let o=n.lineBlockAt(s.head),l=n.
coordsAtPos(s.head,s.assoc||1);l&&(r=o.bottom+n.documentTop-l.bottom+n.defaultLineHeight/2)}return n.moveVertically(s,!0,r)}).map(t);return n.dispatch({changes:t,
selection:i,scrollIntoView:!0,userEvent:"delete.line"}),!0};function Dp(n,e){if(/\(\)|\[\]|\{\}/.test(n.sliceDoc(e-1,e+1)))return{from:e,to:e};let t=ce(n).resolveInner(e),i=t.childBefore(e),s=t.childAfter(e),r;return i&&
s&&i.to<=e&&s.from>=e&&(r=i.type.prop(M.closedBy))&&r.indexOf(s.name)>-1&&n.doc.lineAt(i.to).from==n.doc.lineAt(s.from).from&&!/\S/.test(n.sliceDoc(i.to,s.from))?
{from:i.to,to:s.from}:null}var Dh=df(!1),Bp=df(!0);function df(n){return({state:e,dispatch:t})=>{if(e.readOnly)return!1;let i=e.changeByRange(s=>{let{from:r,to:o}=s,
l=e.doc.lineAt(r),a=!n&&r==o&&Dp(e,r);n&&(r=o=(o<=l.to?l:e.doc.lineAt(o)).to);let h=new Lt(e,{simulateBreak:r,simulateDoubleBreak:!!a}),f=ts(h,r);for(f==null&&(f=
ut(/^\s*/.exec(e.doc.lineAt(r).text)[0],e.tabSize));o<l.to&&/\s/.test(l.text[o-l.from]);)o++;a?{from:r,to:o}=a:r>l.from&&r<l.from+100&&!/\S/.test(l.text.slice(0,
r))&&(r=l.from);let c=["",pi(e,f)];return a&&c.push(pi(e,h.lineIndent(l.from,-1))),{changes:{from:r,to:o,insert:D.of(c)},range:b.cursor(r+1+c[1].length)}});return t(
e.update(i,{scrollIntoView:!0,userEvent:"input"})),!0}}function Co(n,e){let t=-1;return n.changeByRange(i=>{let s=[];for(let o=i.from;o<=i.to;){let l=n.doc.lineAt(
o);l.number>t&&(i.empty||i.to>l.from)&&(e(l,s,i),t=l.number),o=l.to+1}let r=n.changes(s);return{changes:s,range:b.range(r.mapPos(i.anchor,1),r.mapPos(i.head,1))}})}
var qp=({state:n,dispatch:e})=>{if(n.readOnly)return!1;let t=Object.create(null),i=new Lt(n,{overrideIndentation:r=>{let o=t[r];return o??-1}}),s=Co(n,(r,o,l)=>{
let a=ts(i,r.from);if(a==null)return;/\S/.test(r.text)||(a=0);let h=/^\s*/.exec(r.text)[0],f=pi(n,a);(h!=f||l.from<r.from+h.length)&&(t[r.from]=a,o.push({from:r.
from,to:r.from+h.length,insert:f}))});return s.changes.empty||e(n.update(s,{userEvent:"indent"})),!0},pf=({state:n,dispatch:e})=>n.readOnly?!1:(e(n.update(Co(n,
(t,i)=>{i.push({from:t.from,insert:n.facet(xt)})}),{userEvent:"input.indent"})),!0),mf=({state:n,dispatch:e})=>n.readOnly?!1:(e(n.update(Co(n,(t,i)=>{let s=/^\s*/.
exec(t.text)[0];if(!s)return;let r=ut(s,n.tabSize),o=0,l=pi(n,Math.max(0,r-ji(n)));for(;o<s.length&&o<l.length&&s.charCodeAt(o)==l.charCodeAt(o);)o++;i.push({from:t.
from+o,to:t.from+s.length,insert:l.slice(o)})}),{userEvent:"delete.dedent"})),!0),$p=n=>(n.setTabFocusMode(),!0);var Wp=[{key:"Ctrl-b",run:Xh,shift:Kh,preventDefault:!0},{key:"Ctrl-f",run:Fh,shift:Jh},{key:"Ctrl-p",run:Uh,shift:nf},{key:"Ctrl-n",run:jh,shift:sf},{key:"Ctrl\
-a",run:ip,shift:pp},{key:"Ctrl-e",run:np,shift:mp},{key:"Ctrl-d",run:af},{key:"Ctrl-h",run:wo},{key:"Ctrl-k",run:wp},{key:"Ctrl-Alt-h",run:ff},{key:"Ctrl-o",run:Cp},
{key:"Ctrl-t",run:Qp},{key:"Ctrl-v",run:ko}],Lp=[{key:"ArrowLeft",run:Xh,shift:Kh,preventDefault:!0},{key:"Mod-ArrowLeft",mac:"Alt-ArrowLeft",run:Ud,shift:op,preventDefault:!0},
{mac:"Cmd-ArrowLeft",run:ep,shift:up,preventDefault:!0},{key:"ArrowRight",run:Fh,shift:Jh,preventDefault:!0},{key:"Mod-ArrowRight",mac:"Alt-ArrowRight",run:jd,shift:lp,
preventDefault:!0},{mac:"Cmd-ArrowRight",run:tp,shift:dp,preventDefault:!0},{key:"ArrowUp",run:Uh,shift:nf,preventDefault:!0},{mac:"Cmd-ArrowUp",run:Ah,shift:Mh},
{mac:"Ctrl-ArrowUp",run:Ch,shift:Qh},{key:"ArrowDown",run:jh,shift:sf,preventDefault:!0},{mac:"Cmd-ArrowDown",run:Rh,shift:Eh},{mac:"Ctrl-ArrowDown",run:ko,shift:Ph},
{key:"PageUp",run:Ch,shift:Qh},{key:"PageDown",run:ko,shift:Ph},{key:"Home",run:Jd,shift:cp,preventDefault:!0},{key:"Mod-Home",run:Ah,shift:Mh},{key:"End",run:Kd,
shift:fp,preventDefault:!0},{key:"Mod-End",run:Rh,shift:Eh},{key:"Enter",run:Dh,shift:Dh},{key:"Mod-a",run:gp},{key:"Backspace",run:wo,shift:wo,preventDefault:!0},
{key:"Delete",run:af,preventDefault:!0},{key:"Mod-Backspace",mac:"Alt-Backspace",run:ff,preventDefault:!0},{key:"Mod-Delete",mac:"Alt-Delete",run:kp,preventDefault:!0},
{mac:"Mod-Backspace",run:vp,preventDefault:!0},{mac:"Mod-Delete",run:Tp,preventDefault:!0}].concat(Wp.map(n=>({mac:n.key,run:n.run,shift:n.shift}))),gf=[{key:"A\
lt-ArrowLeft",mac:"Ctrl-ArrowLeft",run:Zd,shift:ap},{key:"Alt-ArrowRight",mac:"Ctrl-ArrowRight",run:Yd,shift:hp},{key:"Alt-ArrowUp",run:Pp},{key:"Shift-Alt-Arro\
wUp",run:Rp},{key:"Alt-ArrowDown",run:Ap},{key:"Shift-Alt-ArrowDown",run:Mp},{key:"Mod-Alt-ArrowUp",run:bp},{key:"Mod-Alt-ArrowDown",run:xp},{key:"Escape",run:Sp},
{key:"Mod-Enter",run:Bp},{key:"Alt-l",mac:"Ctrl-l",run:Op},{key:"Mod-i",run:yp,preventDefault:!0},{key:"Mod-[",run:mf},{key:"Mod-]",run:pf},{key:"Mod-Alt-\\",run:qp},
{key:"Shift-Mod-k",run:Ep},{key:"Shift-Mod-\\",run:rp},{key:"Mod-/",run:Rd},{key:"Alt-A",mac:"Ctrl-A",run:Ed},{key:"Ctrl-m",mac:"Shift-Alt-m",run:$p}].concat(Lp),
Of={key:"Tab",run:pf,shift:mf};var Ao=class n{constructor(e,t,i,s,r,o,l,a,h,f=0,c){this.p=e,this.stack=t,this.state=i,this.reducePos=s,this.pos=r,this.score=o,this.buffer=l,this.bufferBase=a,
this.curContext=h,this.lookAhead=f,this.parent=c}toString(){return`[${this.stack.filter((e,t)=>t%3==0).concat(this.state)}]@${this.pos}${this.score?"!"+this.score:
""}`}static start(e,t,i=0){let s=e.parser.context;return new n(e,[],t,i,i,0,[],0,s?new hs(s,s.start):null,0,null)}get context(){return this.curContext?this.curContext.
context:null}pushState(e,t){this.stack.push(this.state,t,this.bufferBase+this.buffer.length),this.state=e}reduce(e){var t;let i=e>>19,s=e&65535,{parser:r}=this.
p,o=this.reducePos<this.pos-25&&this.setLookAhead(this.pos),l=r.dynamicPrecedence(s);if(l&&(this.score+=l),i==0){s<r.minRepeatTerm&&this.reducePos<this.pos&&(this.
reducePos=this.pos),this.pushState(r.getGoto(this.state,s,!0),this.reducePos),s<r.minRepeatTerm&&this.storeNode(s,this.reducePos,this.reducePos,o?8:4,!0),this.reduceContext(
s,this.reducePos);return}let a=this.stack.length-(i-1)*3-(e&262144?6:0),h=a?this.stack[a-2]:this.p.ranges[0].from;s<r.minRepeatTerm&&h==this.reducePos&&this.reducePos<
this.pos&&(this.reducePos=this.pos);let f=this.reducePos-h;f>=2e3&&!(!((t=this.p.parser.nodeSet.types[s])===null||t===void 0)&&t.isAnonymous)&&(h==this.p.lastBigReductionStart?
(this.p.bigReductionCount++,this.p.lastBigReductionSize=f):this.p.lastBigReductionSize<f&&(this.p.bigReductionCount=1,this.p.lastBigReductionStart=h,this.p.lastBigReductionSize=
f));let c=a?this.stack[a-1]:0,u=this.bufferBase+this.buffer.length-c;if(s<r.minRepeatTerm||e&131072){let d=r.stateFlag(this.state,1)?this.pos:this.reducePos;this.
storeNode(s,h,d,u+4,!0)}if(e&262144)this.state=this.stack[a];else{let d=this.stack[a-3];this.state=r.getGoto(d,s,!0)}for(;this.stack.length>a;)this.stack.pop();
this.reduceContext(s,h)}storeNode(e,t,i,s=4,r=!1){if(e==0&&(!this.stack.length||this.stack[this.stack.length-1]<this.buffer.length+this.bufferBase)){let o=this.
buffer.length;if(o>0&&this.buffer[o-4]==0&&this.buffer[o-1]>-1){if(t==i)return;if(this.buffer[o-2]>=t){this.buffer[o-2]=i;return}}}if(!r||this.pos==i)this.buffer.
push(e,t,i,s);else{let o=this.buffer.length;if(o>0&&(this.buffer[o-4]!=0||this.buffer[o-1]<0)){let l=!1;for(let a=o;a>0&&this.buffer[a-2]>i;a-=4)if(this.buffer[a-
1]>=0){l=!0;break}if(l)for(;o>0&&this.buffer[o-2]>i;)this.buffer[o]=this.buffer[o-4],this.buffer[o+1]=this.buffer[o-3],this.buffer[o+2]=this.buffer[o-2],this.buffer[o+
3]=this.buffer[o-1],o-=4,s>4&&(s-=4)}this.buffer[o]=e,this.buffer[o+1]=t,this.buffer[o+2]=i,this.buffer[o+3]=s}}shift(e,t,i,s){if(e&131072)this.pushState(e&65535,
this.pos);else if((e&262144)==0){let r=e,{parser:o}=this.p;this.pos=s;let l=o.stateFlag(r,1);!l&&(s>i||t<=o.maxNode)&&(this.reducePos=s),this.pushState(r,l?i:Math.
min(i,this.reducePos)),this.shiftContext(t,i),t<=o.maxNode&&this.buffer.push(t,i,s,4)}else this.pos=s,this.shiftContext(t,i),t<=this.p.parser.maxNode&&this.buffer.
push(t,i,s,4)}apply(e,t,i,s){e&65536?this.reduce(e):this.shift(e,t,i,s)}useNode(e,t,i){let s=this.p.reused.length-1;(s<0||this.p.reused[s]!=e)&&(this.p.reused.push(
e),s++);let r=this.reducePos=this.pos=i+e.length;this.pushState(t,i),this.buffer.push(s,i,r,-1),this.curContext&&this.updateContext(this.curContext.tracker.reuse(
this.curContext.context,e,this,this.p.stream.reset(this.pos-e.length)))}split(){let e=this,t=e.buffer.length;for(t&&e.buffer[t-4]==0&&(t-=4);t>0&&e.buffer[t-2]>
e.reducePos;)t-=4;let i=e.buffer.slice(t),s=e.bufferBase+t;for(;e&&s==e.bufferBase;)e=e.parent;return new n(this.p,this.stack.slice(),this.state,this.reducePos,
this.pos,this.score,i,s,this.curContext,this.lookAhead,e)}recoverByDelete(e,t){let i=e<=this.p.parser.maxNode;i&&this.storeNode(e,this.pos,t,4),this.storeNode(0,
this.pos,t,i?8:4),this.pos=this.reducePos=t,this.score-=190}canShift(e){for(let t=new Ro(this);;){let i=this.p.parser.stateSlot(t.state,4)||this.p.parser.hasAction(
t.state,e);if(i==0)return!1;if((i&65536)==0)return!0;t.reduce(i)}}recoverByInsert(e){if(this.stack.length>=300)return[];let t=this.p.parser.nextStates(this.state);
if(t.length>8||this.stack.length>=120){let s=[];for(let r=0,o;r<t.length;r+=2)(o=t[r+1])!=this.state&&this.p.parser.hasAction(o,e)&&s.push(t[r],o);if(this.stack.
length<120)for(let r=0;s.length<8&&r<t.length;r+=2){let o=t[r+1];s.some((l,a)=>a&1&&l==o)||s.push(t[r],o)}t=s}let i=[];for(let s=0;s<t.length&&i.length<4;s+=2){
let r=t[s+1];if(r==this.state)continue;let o=this.split();o.pushState(r,this.pos),o.storeNode(0,o.pos,o.pos,4,!0),o.shiftContext(t[s],this.pos),o.reducePos=this.
pos,o.score-=200,i.push(o)}return i}forceReduce(){let{parser:e}=this.p,t=e.stateSlot(this.state,5);if((t&65536)==0)return!1;if(!e.validAction(this.state,t)){let i=t>>
19,s=t&65535,r=this.stack.length-i*3;if(r<0||e.getGoto(this.stack[r],s,!1)<0){let o=this.findForcedReduction();if(o==null)return!1;t=o}this.storeNode(0,this.pos,
this.pos,4,!0),this.score-=100}return this.reducePos=this.pos,this.reduce(t),!0}findForcedReduction(){let{parser:e}=this.p,t=[],i=(s,r)=>{if(!t.includes(s))return t.
push(s),e.allActions(s,o=>{if(!(o&393216))if(o&65536){let l=(o>>19)-r;if(l>1){let a=o&65535,h=this.stack.length-l*3;if(h>=0&&e.getGoto(this.stack[h],a,!1)>=0)return l<<
19|65536|a}}else{let l=i(o,r+1);if(l!=null)return l}})};return i(this.state,0)}forceAll(){for(;!this.p.parser.stateFlag(this.state,2);)if(!this.forceReduce()){this.
storeNode(0,this.pos,this.pos,4,!0);break}return this}get deadEnd(){if(this.stack.length!=3)return!1;let{parser:e}=this.p;return e.data[e.stateSlot(this.state,1)]==
65535&&!e.stateSlot(this.state,4)}restart(){this.storeNode(0,this.pos,this.pos,4,!0),this.state=this.stack[0],this.stack.length=0}sameState(e){if(this.state!=e.
state||this.stack.length!=e.stack.length)return!1;for(let t=0;t<this.stack.length;t+=3)if(this.stack[t]!=e.stack[t])return!1;return!0}get parser(){return this.p.
parser}dialectEnabled(e){return this.p.parser.dialect.flags[e]}shiftContext(e,t){this.curContext&&this.updateContext(this.curContext.tracker.shift(this.curContext.
context,e,this,this.p.stream.reset(t)))}reduceContext(e,t){this.curContext&&this.updateContext(this.curContext.tracker.reduce(this.curContext.context,e,this,this.
p.stream.reset(t)))}emitContext(){let e=this.buffer.length-1;(e<0||this.buffer[e]!=-3)&&this.storeNode(this.curContext.hash,this.reducePos,this.reducePos,-3,!0)}emitLookAhead(){
let e=this.buffer.length-1;(e<0||this.buffer[e]!=-4)&&this.buffer.push(this.lookAhead,this.pos,this.pos,-4)}updateContext(e){if(e!=this.curContext.context){let t=new hs(
this.curContext.tracker,e);t.hash!=this.curContext.hash&&this.emitContext(),this.curContext=t}}setLookAhead(e){return e<=this.lookAhead?!1:(this.emitLookAhead(),
this.lookAhead=e,!0)}close(){this.curContext&&this.curContext.tracker.strict&&this.emitContext(),this.lookAhead>0&&this.emitLookAhead()}},hs=class{constructor(e,t){
this.tracker=e,this.context=t,this.hash=e.strict?e.hash(t):0}},Ro=class{constructor(e){this.start=e,this.state=e.state,this.stack=e.stack,this.base=this.stack.length}reduce(e){
let t=e&65535,i=e>>19;i==0?(this.stack==this.start.stack&&(this.stack=this.stack.slice()),this.stack.push(this.state,0,0),this.base+=3):this.base-=(i-1)*3;let s=this.
start.p.parser.getGoto(this.stack[this.base-3],t,!0);this.state=s}},Mo=class n{constructor(e,t,i){this.stack=e,this.pos=t,this.index=i,this.buffer=e.buffer,this.
index==0&&this.maybeNext()}static create(e,t=e.bufferBase+e.buffer.length){return new n(e,t,t-e.bufferBase)}maybeNext(){let e=this.stack.parent;e!=null&&(this.index=
this.stack.bufferBase-e.bufferBase,this.stack=e,this.buffer=e.buffer)}get id(){return this.buffer[this.index-4]}get start(){return this.buffer[this.index-3]}get end(){
return this.buffer[this.index-2]}get size(){return this.buffer[this.index-1]}next(){this.index-=4,this.pos-=4,this.index==0&&this.maybeNext()}fork(){return new n(
this.stack,this.pos,this.index)}};function Yi(n,e=Uint16Array){if(typeof n!="string")return n;let t=null;for(let i=0,s=0;i<n.length;){let r=0;for(;;){let o=n.charCodeAt(
i++),l=!1;if(o==126){r=65535;break}o>=92&&o--,o>=34&&o--;let a=o-32;if(a>=46&&(a-=46,l=!0),r+=a,l)break;r*=46}t?t[s++]=r:t=new e(r)}return t}var gi=class{constructor(){
this.start=-1,this.value=-1,this.end=-1,this.extended=-1,this.lookAhead=0,this.mask=0,this.context=0}},yf=new gi,Eo=class{constructor(e,t){this.input=e,this.ranges=
t,this.chunk="",this.chunkOff=0,this.chunk2="",this.chunk2Pos=0,this.next=-1,this.token=yf,this.rangeIndex=0,this.pos=this.chunkPos=t[0].from,this.range=t[0],this.
end=t[t.length-1].to,this.readNext()}resolveOffset(e,t){let i=this.range,s=this.rangeIndex,r=this.pos+e;for(;r<i.from;){if(!s)return null;let o=this.ranges[--s];
r-=i.from-o.to,i=o}for(;t<0?r>i.to:r>=i.to;){if(s==this.ranges.length-1)return null;let o=this.ranges[++s];r+=o.from-i.to,i=o}return r}clipPos(e){if(e>=this.range.
from&&e<this.range.to)return e;for(let t of this.ranges)if(t.to>e)return Math.max(e,t.from);return this.end}peek(e){let t=this.chunkOff+e,i,s;if(t>=0&&t<this.chunk.
length)i=this.pos+e,s=this.chunk.charCodeAt(t);else{let r=this.resolveOffset(e,1);if(r==null)return-1;if(i=r,i>=this.chunk2Pos&&i<this.chunk2Pos+this.chunk2.length)
s=this.chunk2.charCodeAt(i-this.chunk2Pos);else{let o=this.rangeIndex,l=this.range;for(;l.to<=i;)l=this.ranges[++o];this.chunk2=this.input.chunk(this.chunk2Pos=
i),i+this.chunk2.length>l.to&&(this.chunk2=this.chunk2.slice(0,l.to-i)),s=this.chunk2.charCodeAt(0)}}return i>=this.token.lookAhead&&(this.token.lookAhead=i+1),
s}acceptToken(e,t=0){let i=t?this.resolveOffset(t,-1):this.pos;if(i==null||i<this.token.start)throw new RangeError("Token end out of bounds");this.token.value=e,
this.token.end=i}acceptTokenTo(e,t){this.token.value=e,this.token.end=t}getChunk(){if(this.pos>=this.chunk2Pos&&this.pos<this.chunk2Pos+this.chunk2.length){let{
chunk:e,chunkPos:t}=this;this.chunk=this.chunk2,this.chunkPos=this.chunk2Pos,this.chunk2=e,this.chunk2Pos=t,this.chunkOff=this.pos-this.chunkPos}else{this.chunk2=
this.chunk,this.chunk2Pos=this.chunkPos;let e=this.input.chunk(this.pos),t=this.pos+e.length;this.chunk=t>this.range.to?e.slice(0,this.range.to-this.pos):e,this.
chunkPos=this.pos,this.chunkOff=0}}readNext(){return this.chunkOff>=this.chunk.length&&(this.getChunk(),this.chunkOff==this.chunk.length)?this.next=-1:this.next=
this.chunk.charCodeAt(this.chunkOff)}advance(e=1){for(this.chunkOff+=e;this.pos+e>=this.range.to;){if(this.rangeIndex==this.ranges.length-1)return this.setDone();
e-=this.range.to-this.pos,this.range=this.ranges[++this.rangeIndex],this.pos=this.range.from}return this.pos+=e,this.pos>=this.token.lookAhead&&(this.token.lookAhead=
this.pos+1),this.readNext()}setDone(){return this.pos=this.chunkPos=this.end,this.range=this.ranges[this.rangeIndex=this.ranges.length-1],this.chunk="",this.next=
-1}reset(e,t){if(t?(this.token=t,t.start=e,t.lookAhead=e+1,t.value=t.extended=-1):this.token=yf,this.pos!=e){if(this.pos=e,e==this.end)return this.setDone(),this;
for(;e<this.range.from;)this.range=this.ranges[--this.rangeIndex];for(;e>=this.range.to;)this.range=this.ranges[++this.rangeIndex];e>=this.chunkPos&&e<this.chunkPos+
this.chunk.length?this.chunkOff=e-this.chunkPos:(this.chunk="",this.chunkOff=0),this.readNext()}return this}read(e,t){if(e>=this.chunkPos&&t<=this.chunkPos+this.
chunk.length)return this.chunk.slice(e-this.chunkPos,t-this.chunkPos);if(e>=this.chunk2Pos&&t<=this.chunk2Pos+this.chunk2.length)return this.chunk2.slice(e-this.
chunk2Pos,t-this.chunk2Pos);if(e>=this.range.from&&t<=this.range.to)return this.input.read(e,t);let i="";for(let s of this.ranges){if(s.from>=t)break;s.to>e&&(i+=
this.input.read(Math.max(s.from,e),Math.min(s.to,t)))}return i}},kt=class{constructor(e,t){this.data=e,this.id=t}token(e,t){let{parser:i}=t.p;wf(this.data,e,t,this.
id,i.data,i.tokenPrecTable)}};kt.prototype.contextual=kt.prototype.fallback=kt.prototype.extend=!1;var Do=class{constructor(e,t,i){this.precTable=t,this.elseToken=
i,this.data=typeof e=="string"?Yi(e):e}token(e,t){let i=e.pos,s=0;for(;;){let r=e.next<0,o=e.resolveOffset(1,1);if(wf(this.data,e,t,0,this.data,this.precTable),
e.token.value>-1)break;if(this.elseToken==null)return;if(r||s++,o==null)break;e.reset(o,e.token)}s&&(e.reset(i,e.token),e.acceptToken(this.elseToken,s))}};Do.prototype.
contextual=kt.prototype.fallback=kt.prototype.extend=!1;var Nt=class{constructor(e,t={}){this.token=e,this.contextual=!!t.contextual,this.fallback=!!t.fallback,
this.extend=!!t.extend}};function wf(n,e,t,i,s,r){let o=0,l=1<<i,{dialect:a}=t.p.parser;e:for(;(l&n[o])!=0;){let h=n[o+1];for(let d=o+3;d<h;d+=2)if((n[d+1]&l)>0){
let p=n[d];if(a.allows(p)&&(e.token.value==-1||e.token.value==p||Ip(p,e.token.value,s,r))){e.acceptToken(p);break}}let f=e.next,c=0,u=n[o+2];if(e.next<0&&u>c&&n[h+
u*3-3]==65535){o=n[h+u*3-1];continue e}for(;c<u;){let d=c+u>>1,p=h+d+(d<<1),m=n[p],g=n[p+1]||65536;if(f<m)u=d;else if(f>=g)c=d+1;else{o=n[p+2],e.advance();continue e}}
break}}function bf(n,e,t){for(let i=e,s;(s=n[i])!=65535;i++)if(s==t)return i-e;return-1}function Ip(n,e,t,i){let s=bf(t,i,e);return s<0||bf(t,i,n)<s}var be=typeof process<
"u"&&process.env&&/\bparse\b/.test(process.env.LOG),Qo=null;function xf(n,e,t){let i=n.cursor(H.IncludeAnonymous);for(i.moveTo(e);;)if(!(t<0?i.childBefore(e):i.
childAfter(e)))for(;;){if((t<0?i.to<e:i.from>e)&&!i.type.isError)return t<0?Math.max(0,Math.min(i.to-1,e-25)):Math.min(n.length,Math.max(i.from+1,e+25));if(t<0?
i.prevSibling():i.nextSibling())break;if(!i.parent())return t<0?0:n.length}}var Bo=class{constructor(e,t){this.fragments=e,this.minRepeat=t,this.i=0,this.fragment=
null,this.safeFrom=-1,this.safeTo=-1,this.trees=[],this.start=[],this.index=[],this.lastRepeat=null,this.lastRepeatPos=-1,this.nextFragment()}nextFragment(){let e=this.
fragment=this.i==this.fragments.length?null:this.fragments[this.i++];if(e){for(this.safeFrom=e.openStart?xf(e.tree,e.from+e.offset,1)-e.offset:e.from,this.safeTo=
e.openEnd?xf(e.tree,e.to+e.offset,-1)-e.offset:e.to;this.trees.length;)this.trees.pop(),this.start.pop(),this.index.pop();this.trees.push(e.tree),this.start.push(
-e.offset),this.index.push(0),this.nextStart=this.safeFrom}else this.nextStart=1e9}nodeAt(e){if(e<this.nextStart)return null;for(;this.fragment&&this.safeTo<=e;)
this.nextFragment();if(!this.fragment)return null;for(;;){let t=this.trees.length-1;if(t<0)return this.nextFragment(),null;if(e<this.safeFrom)return null;let i=this.
trees[t],s=this.index[t];if(s==i.children.length){this.trees.pop(),this.start.pop(),this.index.pop();continue}let r=i.children[s],o=this.start[t]+i.positions[s];
if(o>e)return this.nextStart=o,null;if(r instanceof G){let l=o>this.lastRepeatPos&&r.type.id>=this.minRepeat;if(o==e||l){let a=o+r.length,h;if(o>=this.safeFrom&&
a<=this.safeTo&&(!(h=r.prop(M.lookAhead))||a+h<this.fragment.to)&&(l&&(this.lastRepeat=r,this.lastRepeatPos=o),o==e))return r}this.index[t]++,o+r.length>=Math.max(
this.safeFrom,e)&&(this.trees.push(r),this.start.push(o),this.index.push(0))}else this.index[t]++,this.nextStart=o+r.length}}},qo=class{constructor(e,t){this.stream=
t,this.tokens=[],this.mainToken=null,this.actions=[],this.tokens=e.tokenizers.map(i=>new gi)}getActions(e){let t=0,i=null,{parser:s}=e.p,{tokenizers:r}=s,o=s.stateSlot(
e.state,3),l=e.curContext?e.curContext.hash:0,a=0;for(let h=0;h<r.length;h++){if((1<<h&o)==0)continue;let f=r[h],c=this.tokens[h];if(!(i&&!f.fallback)&&((f.contextual||
c.start!=e.pos||c.mask!=o||c.context!=l)&&(this.updateCachedToken(c,f,e),c.mask=o,c.context=l),c.lookAhead>c.end+25&&(a=Math.max(c.lookAhead,a)),c.value!=0)){let u=t;
if(c.extended>-1&&(t=this.addActions(e,c.extended,c.end,t)),t=this.addActions(e,c.value,c.end,t),!f.extend&&(i=c,t>u))break}}for(;this.actions.length>t;)this.actions.
pop();return a&&e.setLookAhead(a),!i&&e.pos==this.stream.end&&(i=new gi,i.value=e.p.parser.eofTerm,i.start=i.end=e.pos,t=this.addActions(e,i.value,i.end,t)),this.
mainToken=i,this.actions}getMainToken(e){if(this.mainToken)return this.mainToken;let t=new gi,{pos:i,p:s}=e;return t.start=i,t.end=Math.min(i+1,s.stream.end),t.
value=i==s.stream.end?s.parser.eofTerm:0,t}updateCachedToken(e,t,i){let s=this.stream.clipPos(i.pos);if(t.token(this.stream.reset(s,e),i),e.value>-1){let{parser:r}=i.
p;for(let o=0;o<r.specialized.length;o++)if(r.specialized[o]==e.value){let l=r.specializers[o](this.stream.read(e.start,e.end),i);if(l>=0&&i.p.parser.dialect.allows(
l>>1)){(l&1)==0?e.value=l>>1:e.extended=l>>1;break}}}else e.value=0,e.end=this.stream.clipPos(s+1)}putAction(e,t,i,s){for(let r=0;r<s;r+=3)if(this.actions[r]==e)
return s;return this.actions[s++]=e,this.actions[s++]=t,this.actions[s++]=i,s}addActions(e,t,i,s){let{state:r}=e,{parser:o}=e.p,{data:l}=o;for(let a=0;a<2;a++)for(let h=o.
stateSlot(r,a?2:1);;h+=3){if(l[h]==65535)if(l[h+1]==1)h=st(l,h+2);else{s==0&&l[h+1]==2&&(s=this.putAction(st(l,h+2),t,i,s));break}l[h]==t&&(s=this.putAction(st(
l,h+1),t,i,s))}return s}},$o=class{constructor(e,t,i,s){this.parser=e,this.input=t,this.ranges=s,this.recovering=0,this.nextStackID=9812,this.minStackPos=0,this.
reused=[],this.stoppedAt=null,this.lastBigReductionStart=-1,this.lastBigReductionSize=0,this.bigReductionCount=0,this.stream=new Eo(t,s),this.tokens=new qo(e,this.
stream),this.topTerm=e.top[1];let{from:r}=s[0];this.stacks=[Ao.start(this,e.top[0],r)],this.fragments=i.length&&this.stream.end-r>e.bufferLength*4?new Bo(i,e.minRepeatTerm):
null}get parsedPos(){return this.minStackPos}advance(){let e=this.stacks,t=this.minStackPos,i=this.stacks=[],s,r;if(this.bigReductionCount>300&&e.length==1){let[
o]=e;for(;o.forceReduce()&&o.stack.length&&o.stack[o.stack.length-2]>=this.lastBigReductionStart;);this.bigReductionCount=this.lastBigReductionSize=0}for(let o=0;o<
e.length;o++){let l=e[o];for(;;){if(this.tokens.mainToken=null,l.pos>t)i.push(l);else{if(this.advanceStack(l,i,e))continue;{s||(s=[],r=[]),s.push(l);let a=this.
tokens.getMainToken(l);r.push(a.value,a.end)}}break}}if(!i.length){let o=s&&Np(s);if(o)return be&&console.log("Finish with "+this.stackID(o)),this.stackToTree(o);
if(this.parser.strict)throw be&&s&&console.log("Stuck with token "+(this.tokens.mainToken?this.parser.getName(this.tokens.mainToken.value):"none")),new SyntaxError(
"No parse at "+t);this.recovering||(this.recovering=5)}if(this.recovering&&s){let o=this.stoppedAt!=null&&s[0].pos>this.stoppedAt?s[0]:this.runRecovery(s,r,i);if(o)
return be&&console.log("Force-finish "+this.stackID(o)),this.stackToTree(o.forceAll())}if(this.recovering){let o=this.recovering==1?1:this.recovering*3;if(i.length>
o)for(i.sort((l,a)=>a.score-l.score);i.length>o;)i.pop();i.some(l=>l.reducePos>t)&&this.recovering--}else if(i.length>1){e:for(let o=0;o<i.length-1;o++){let l=i[o];
for(let a=o+1;a<i.length;a++){let h=i[a];if(l.sameState(h)||l.buffer.length>500&&h.buffer.length>500)if((l.score-h.score||l.buffer.length-h.buffer.length)>0)i.splice(
a--,1);else{i.splice(o--,1);continue e}}}i.length>12&&(i.sort((o,l)=>l.score-o.score),i.splice(12,i.length-12))}this.minStackPos=i[0].pos;for(let o=1;o<i.length;o++)
i[o].pos<this.minStackPos&&(this.minStackPos=i[o].pos);return null}stopAt(e){if(this.stoppedAt!=null&&this.stoppedAt<e)throw new RangeError("Can't move stoppedA\
t forward");this.stoppedAt=e}tryReuse(e,t,i,s){if(!i)return null;let r=e.curContext&&e.curContext.tracker.strict,o=r?e.curContext.hash:0;for(;i;){let l=this.parser.
nodeSet.types[i.type.id]!=i.type?-1:this.parser.getGoto(e.state,i.type.id);if(l>-1&&i.length&&(!r||(i.prop(M.contextHash)||0)==o))return e.useNode(i,l,t),i;if(i.
children.length==0||i.positions[0]>0)break;let a=i.children[0];if(a instanceof G&&(!s||a.type.id>=this.parser.minRepeatTerm))i=a;else break}return null}advanceStack(e,t,i){
let s=e.pos,{parser:r}=this,o=be?this.stackID(e)+" -> ":"";if(this.stoppedAt!=null&&s>this.stoppedAt)return e.forceReduce()?e:null;if(this.fragments){let h=e.reducePos<
s&&e.buffer.length&&e.buffer[e.buffer.length-2]<=e.reducePos&&this.fragments.lastRepeatPos==e.reducePos&&this.tryReuse(e,e.reducePos,this.fragments.lastRepeat,!0)||
this.tryReuse(e,s,this.fragments.nodeAt(s),!1);if(h)return be&&console.log(o+this.stackID(e)+` (via reuse of ${r.getName(h.type.id)})`),!0}let l=r.stateSlot(e.state,
4);if(l>0)return e.reduce(l),be&&console.log(o+this.stackID(e)+` (via always-reduce ${r.getName(l&65535)})`),!0;if(e.stack.length>=8400)for(;e.stack.length>6e3&&
e.forceReduce(););let a=this.tokens.getActions(e);for(let h=0;h<a.length;){let f=a[h++],c=a[h++],u=a[h++],d=h==a.length||!i,p=d?e:e.split(),m=this.tokens.mainToken;
if(p.apply(f,c,m?m.start:p.pos,u),be&&console.log(o+this.stackID(p)+` (via ${(f&65536)==0?"shift":`reduce of ${r.getName(f&65535)}`} for ${r.getName(c)} @ ${s}${p==
e?"":", split"})`),d)return!0;p.pos>s?t.push(p):i.push(p)}return!1}advanceFully(e,t){let i=e.pos;for(;;){if(!this.advanceStack(e,null,null))return!1;if(e.pos>i)
return Sf(e,t),!0}}runRecovery(e,t,i){let s=null,r=!1;for(let o=0;o<e.length;o++){let l=e[o],a=t[o<<1],h=t[(o<<1)+1],f=be?this.stackID(l)+" -> ":"";if(l.deadEnd&&
(r||(r=!0,l.restart(),be&&console.log(f+this.stackID(l)+" (restarted)"),this.advanceFully(l,i))))continue;let c=l.split(),u=f;for(let d=0;d<10&&c.forceReduce()&&
(be&&console.log(u+this.stackID(c)+" (via force-reduce)"),!this.advanceFully(c,i));d++)be&&(u=this.stackID(c)+" -> ");for(let d of l.recoverByInsert(a))be&&console.
log(f+this.stackID(d)+" (via recover-insert)"),this.advanceFully(d,i);this.stream.end>l.pos?(h==l.pos&&(h++,a=0),l.recoverByDelete(a,h),be&&console.log(f+this.stackID(
l)+` (via recover-delete ${this.parser.getName(a)})`),Sf(l,i)):(!s||s.score<c.score)&&(s=c)}return s}stackToTree(e){return e.close(),G.build({buffer:Mo.create(e),
nodeSet:this.parser.nodeSet,topID:this.topTerm,maxBufferLength:this.parser.bufferLength,reused:this.reused,start:this.ranges[0].from,length:e.pos-this.ranges[0].
from,minRepeatType:this.parser.minRepeatTerm})}stackID(e){let t=(Qo||(Qo=new WeakMap)).get(e);return t||Qo.set(e,t=String.fromCodePoint(this.nextStackID++)),t+e}};
function Sf(n,e){for(let t=0;t<e.length;t++){let i=e[t];if(i.pos==n.pos&&i.sameState(n)){e[t].score<n.score&&(e[t]=n);return}}e.push(n)}var Wo=class{constructor(e,t,i){
this.source=e,this.flags=t,this.disabled=i}allows(e){return!this.disabled||this.disabled[e]==0}},Po=n=>n,fs=class{constructor(e){this.start=e.start,this.shift=e.
shift||Po,this.reduce=e.reduce||Po,this.reuse=e.reuse||Po,this.hash=e.hash||(()=>0),this.strict=e.strict!==!1}},cs=class n extends ci{constructor(e){if(super(),
this.wrappers=[],e.version!=14)throw new RangeError(`Parser version (${e.version}) doesn't match runtime version (14)`);let t=e.nodeNames.split(" ");this.minRepeatTerm=
t.length;for(let l=0;l<e.repeatNodeCount;l++)t.push("");let i=Object.keys(e.topRules).map(l=>e.topRules[l][1]),s=[];for(let l=0;l<t.length;l++)s.push([]);function r(l,a,h){
s[l].push([a,a.deserialize(String(h))])}if(e.nodeProps)for(let l of e.nodeProps){let a=l[0];typeof a=="string"&&(a=M[a]);for(let h=1;h<l.length;){let f=l[h++];if(f>=
0)r(f,a,l[h++]);else{let c=l[h+-f];for(let u=-f;u>0;u--)r(l[h++],a,c);h++}}}this.nodeSet=new Ni(t.map((l,a)=>re.define({name:a>=this.minRepeatTerm?void 0:l,id:a,
props:s[a],top:i.indexOf(a)>-1,error:a==0,skipped:e.skippedNodes&&e.skippedNodes.indexOf(a)>-1}))),e.propSources&&(this.nodeSet=this.nodeSet.extend(...e.propSources)),
this.strict=!1,this.bufferLength=1024;let o=Yi(e.tokenData);this.context=e.context,this.specializerSpecs=e.specialized||[],this.specialized=new Uint16Array(this.
specializerSpecs.length);for(let l=0;l<this.specializerSpecs.length;l++)this.specialized[l]=this.specializerSpecs[l].term;this.specializers=this.specializerSpecs.
map(kf),this.states=Yi(e.states,Uint32Array),this.data=Yi(e.stateData),this.goto=Yi(e.goto),this.maxTerm=e.maxTerm,this.tokenizers=e.tokenizers.map(l=>typeof l==
"number"?new kt(o,l):l),this.topRules=e.topRules,this.dialects=e.dialects||{},this.dynamicPrecedences=e.dynamicPrecedences||null,this.tokenPrecTable=e.tokenPrec,
this.termNames=e.termNames||null,this.maxNode=this.nodeSet.types.length-1,this.dialect=this.parseDialect(),this.top=this.topRules[Object.keys(this.topRules)[0]]}createParse(e,t,i){
let s=new $o(this,e,t,i);for(let r of this.wrappers)s=r(s,e,t,i);return s}getGoto(e,t,i=!1){let s=this.goto;if(t>=s[0])return-1;for(let r=s[t+1];;){let o=s[r++],
l=o&1,a=s[r++];if(l&&i)return a;for(let h=r+(o>>1);r<h;r++)if(s[r]==e)return a;if(l)return-1}}hasAction(e,t){let i=this.data;for(let s=0;s<2;s++)for(let r=this.
stateSlot(e,s?2:1),o;;r+=3){if((o=i[r])==65535)if(i[r+1]==1)o=i[r=st(i,r+2)];else{if(i[r+1]==2)return st(i,r+2);break}if(o==t||o==0)return st(i,r+1)}return 0}stateSlot(e,t){
return this.states[e*6+t]}stateFlag(e,t){return(this.stateSlot(e,0)&t)>0}validAction(e,t){return!!this.allActions(e,i=>i==t?!0:null)}allActions(e,t){let i=this.
stateSlot(e,4),s=i?t(i):void 0;for(let r=this.stateSlot(e,1);s==null;r+=3){if(this.data[r]==65535)if(this.data[r+1]==1)r=st(this.data,r+2);else break;s=t(st(this.
data,r+1))}return s}nextStates(e){let t=[];for(let i=this.stateSlot(e,1);;i+=3){if(this.data[i]==65535)if(this.data[i+1]==1)i=st(this.data,i+2);else break;if((this.
data[i+2]&1)==0){let s=this.data[i+1];t.some((r,o)=>o&1&&r==s)||t.push(this.data[i],s)}}return t}configure(e){let t=Object.assign(Object.create(n.prototype),this);
if(e.props&&(t.nodeSet=this.nodeSet.extend(...e.props)),e.top){let i=this.topRules[e.top];if(!i)throw new RangeError(`Invalid top rule name ${e.top}`);t.top=i}return e.
tokenizers&&(t.tokenizers=this.tokenizers.map(i=>{let s=e.tokenizers.find(r=>r.from==i);return s?s.to:i})),e.specializers&&(t.specializers=this.specializers.slice(),
t.specializerSpecs=this.specializerSpecs.map((i,s)=>{let r=e.specializers.find(l=>l.from==i.external);if(!r)return i;let o=Object.assign(Object.assign({},i),{external:r.
to});return t.specializers[s]=kf(o),o})),e.contextTracker&&(t.context=e.contextTracker),e.dialect&&(t.dialect=this.parseDialect(e.dialect)),e.strict!=null&&(t.strict=
e.strict),e.wrap&&(t.wrappers=t.wrappers.concat(e.wrap)),e.bufferLength!=null&&(t.bufferLength=e.bufferLength),t}hasWrappers(){return this.wrappers.length>0}getName(e){
return this.termNames?this.termNames[e]:String(e<=this.maxNode&&this.nodeSet.types[e].name||e)}get eofTerm(){return this.maxNode+1}get topNode(){return this.nodeSet.
types[this.top[1]]}dynamicPrecedence(e){let t=this.dynamicPrecedences;return t==null?0:t[e]||0}parseDialect(e){let t=Object.keys(this.dialects),i=t.map(()=>!1);
if(e)for(let r of e.split(" ")){let o=t.indexOf(r);o>=0&&(i[o]=!0)}let s=null;for(let r=0;r<t.length;r++)if(!i[r])for(let o=this.dialects[t[r]],l;(l=this.data[o++])!=
65535;)(s||(s=new Uint8Array(this.maxTerm+1)))[l]=1;return new Wo(e,i,s)}static deserialize(e){return new n(e)}};function st(n,e){return n[e]|n[e+1]<<16}function Np(n){
let e=null;for(let t of n){let i=t.p.stoppedAt;(t.pos==t.p.stream.end||i!=null&&t.pos>i)&&t.p.parser.stateFlag(t.state,2)&&(!e||e.score<t.score)&&(e=t)}return e}
function kf(n){if(n.external){let e=n.extend?1:0;return(t,i)=>n.external(t,i)<<1|e}return n.get}var Vp=1,Af=194,Rf=195,Xp=196,vf=197,Fp=198,_p=199,Hp=200,Up=2,Mf=3,Tf=201,jp=24,Gp=25,Zp=49,Yp=50,Kp=55,Jp=56,em=57,tm=59,im=60,nm=61,sm=62,rm=63,om=65,lm=238,
am=71,hm=241,fm=242,cm=243,um=244,dm=245,pm=246,mm=247,gm=248,Ef=72,Om=249,ym=250,bm=251,xm=252,Sm=253,km=254,wm=255,vm=256,Tm=73,Cm=77,Qm=263,Pm=112,Am=130,Rm=151,
Mm=152,Em=155,Vt=10,Ki=13,No=32,ps=9,Vo=35,Dm=40,Bm=46,Io=123,Cf=125,Df=39,Bf=34,Qf=92,qm=111,$m=120,Wm=78,Lm=117,zm=85,Im=new Set([Gp,Zp,Yp,Qm,om,Am,Jp,em,lm,sm,
rm,Ef,Tm,Cm,im,nm,Rm,Mm,Em,Pm]);function Lo(n){return n==Vt||n==Ki}function zo(n){return n>=48&&n<=57||n>=65&&n<=70||n>=97&&n<=102}var Nm=new Nt((n,e)=>{let t;if(n.
next<0)n.acceptToken(_p);else if(e.context.flags&us)Lo(n.next)&&n.acceptToken(Fp,1);else if(((t=n.peek(-1))<0||Lo(t))&&e.canShift(vf)){let i=0;for(;n.next==No||
n.next==ps;)n.advance(),i++;(n.next==Vt||n.next==Ki||n.next==Vo)&&n.acceptToken(vf,-i)}else Lo(n.next)&&n.acceptToken(Xp,1)},{contextual:!0}),Vm=new Nt((n,e)=>{
let t=e.context;if(t.flags)return;let i=n.peek(-1);if(i==Vt||i==Ki){let s=0,r=0;for(;;){if(n.next==No)s++;else if(n.next==ps)s+=8-s%8;else break;n.advance(),r++}
s!=t.indent&&n.next!=Vt&&n.next!=Ki&&n.next!=Vo&&(s<t.indent?n.acceptToken(Rf,-r):n.acceptToken(Af))}}),us=1,qf=2,rt=4,ot=8,lt=16,at=32;function ds(n,e,t){this.
parent=n,this.indent=e,this.flags=t,this.hash=(n?n.hash+n.hash<<8:0)+e+(e<<4)+t+(t<<6)}var Xm=new ds(null,0,0);function Fm(n){let e=0;for(let t=0;t<n.length;t++)
e+=n.charCodeAt(t)==ps?8-e%8:1;return e}var Pf=new Map([[hm,0],[fm,rt],[cm,ot],[um,ot|rt],[dm,lt],[pm,lt|rt],[mm,lt|ot],[gm,lt|ot|rt],[Om,at],[ym,at|rt],[bm,at|
ot],[xm,at|ot|rt],[Sm,at|lt],[km,at|lt|rt],[wm,at|lt|ot],[vm,at|lt|ot|rt]].map(([n,e])=>[n,e|qf])),_m=new fs({start:Xm,reduce(n,e,t,i){return n.flags&us&&Im.has(
e)||(e==am||e==Ef)&&n.flags&qf?n.parent:n},shift(n,e,t,i){return e==Af?new ds(n,Fm(i.read(i.pos,t.pos)),0):e==Rf?n.parent:e==jp||e==Kp||e==tm||e==Mf?new ds(n,0,
us):Pf.has(e)?new ds(n,0,Pf.get(e)|n.flags&us):n},hash(n){return n.hash}}),Hm=new Nt(n=>{for(let e=0;e<5;e++){if(n.next!="print".charCodeAt(e))return;n.advance()}
if(!/\w/.test(String.fromCharCode(n.next)))for(let e=0;;e++){let t=n.peek(e);if(!(t==No||t==ps)){t!=Dm&&t!=Bm&&t!=Vt&&t!=Ki&&t!=Vo&&n.acceptToken(Vp);return}}}),
Um=new Nt((n,e)=>{let{flags:t}=e.context,i=t&rt?Bf:Df,s=(t&ot)>0,r=!(t&lt),o=(t&at)>0,l=n.pos;for(;!(n.next<0);)if(o&&n.next==Io)if(n.peek(1)==Io)n.advance(2);else{
if(n.pos==l){n.acceptToken(Mf,1);return}break}else if(r&&n.next==Qf){if(n.pos==l){n.advance();let a=n.next;a>=0&&(n.advance(),jm(n,a)),n.acceptToken(Up);return}
break}else if(n.next==Qf&&!r&&n.peek(1)>-1)n.advance(2);else if(n.next==i&&(!s||n.peek(1)==i&&n.peek(2)==i)){if(n.pos==l){n.acceptToken(Tf,s?3:1);return}break}else if(n.
next==Vt){if(s)n.advance();else if(n.pos==l){n.acceptToken(Tf);return}break}else n.advance();n.pos>l&&n.acceptToken(Hp)});function jm(n,e){if(e==qm)for(let t=0;t<
2&&n.next>=48&&n.next<=55;t++)n.advance();else if(e==$m)for(let t=0;t<2&&zo(n.next);t++)n.advance();else if(e==Lm)for(let t=0;t<4&&zo(n.next);t++)n.advance();else if(e==
zm)for(let t=0;t<8&&zo(n.next);t++)n.advance();else if(e==Wm&&n.next==Io){for(n.advance();n.next>=0&&n.next!=Cf&&n.next!=Df&&n.next!=Bf&&n.next!=Vt;)n.advance();
n.next==Cf&&n.advance()}}var Gm=Yn({'async "*" "**" FormatConversion FormatSpec':O.modifier,"for while if elif else try except finally return raise break contin\
ue with pass assert await yield match case":O.controlKeyword,"in not and or is del":O.operatorKeyword,"from def class global nonlocal lambda":O.definitionKeyword,
import:O.moduleKeyword,"with as print":O.keyword,Boolean:O.bool,None:O.null,VariableName:O.variableName,"CallExpression/VariableName":O.function(O.variableName),
"FunctionDefinition/VariableName":O.function(O.definition(O.variableName)),"ClassDefinition/VariableName":O.definition(O.className),PropertyName:O.propertyName,
"CallExpression/MemberExpression/PropertyName":O.function(O.propertyName),Comment:O.lineComment,Number:O.number,String:O.string,FormatString:O.special(O.string),
Escape:O.escape,UpdateOp:O.updateOperator,"ArithOp!":O.arithmeticOperator,BitOp:O.bitwiseOperator,CompareOp:O.compareOperator,AssignOp:O.definitionOperator,Ellipsis:O.
punctuation,At:O.meta,"( )":O.paren,"[ ]":O.squareBracket,"{ }":O.brace,".":O.derefOperator,", ;":O.separator}),Zm={__proto__:null,await:44,or:54,and:56,in:60,not:62,
is:64,if:70,else:72,lambda:76,yield:94,from:96,async:102,for:104,None:162,True:164,False:164,del:178,pass:182,break:186,continue:190,return:194,raise:202,import:206,
as:208,global:212,nonlocal:214,assert:218,type:223,elif:236,while:240,try:246,except:248,finally:250,with:254,def:258,class:268,match:279,case:285},$f=cs.deserialize(
{version:14,states:"##jQ`QeOOP$}OSOOO&WQtO'#HUOOQS'#Co'#CoOOQS'#Cp'#CpO'vQdO'#CnO*UQtO'#HTOOQS'#HU'#HUOOQS'#DU'#DUOOQS'#HT'#HTO*rQdO'#D_O+VQdO'#DfO+gQdO'#DjO+zO\
WO'#DuO,VOWO'#DvO.[QtO'#GuOOQS'#Gu'#GuO'vQdO'#GtO0ZQtO'#GtOOQS'#Eb'#EbO0rQdO'#EcOOQS'#Gs'#GsO0|QdO'#GrOOQV'#Gr'#GrO1XQdO'#FYOOQS'#G^'#G^O1^QdO'#FXOOQV'#IS'#ISOO\
QV'#Gq'#GqOOQV'#Fq'#FqQ`QeOOO'vQdO'#CqO1lQdO'#C}O1sQdO'#DRO2RQdO'#HYO2cQtO'#EVO'vQdO'#EWOOQS'#EY'#EYOOQS'#E['#E[OOQS'#E^'#E^O2wQdO'#E`O3_QdO'#EdO3rQdO'#EfO3zQtO\
'#EfO1XQdO'#EiO0rQdO'#ElO1XQdO'#EnO0rQdO'#EtO0rQdO'#EwO4VQdO'#EyO4^QdO'#FOO4iQdO'#EzO0rQdO'#FOO1XQdO'#FQO1XQdO'#FVO4nQdO'#F[P4uOdO'#GpPOOO)CBd)CBdOOQS'#Ce'#CeOO\
QS'#Cf'#CfOOQS'#Cg'#CgOOQS'#Ch'#ChOOQS'#Ci'#CiOOQS'#Cj'#CjOOQS'#Cl'#ClO'vQdO,59OO'vQdO,59OO'vQdO,59OO'vQdO,59OO'vQdO,59OO'vQdO,59OO5TQdO'#DoOOQS,5:Y,5:YO5hQdO'#\
HdOOQS,5:],5:]O5uQ!fO,5:]O5zQtO,59YO1lQdO,59bO1lQdO,59bO1lQdO,59bO8jQdO,59bO8oQdO,59bO8vQdO,59jO8}QdO'#HTO:TQdO'#HSOOQS'#HS'#HSOOQS'#D['#D[O:lQdO,59aO'vQdO,59aO\
:zQdO,59aOOQS,59y,59yO;PQdO,5:RO'vQdO,5:ROOQS,5:Q,5:QO;_QdO,5:QO;dQdO,5:XO'vQdO,5:XO'vQdO,5:VOOQS,5:U,5:UO;uQdO,5:UO;zQdO,5:WOOOW'#Fy'#FyO<POWO,5:aOOQS,5:a,5:aO\
<[QdO'#HwOOOW'#Dw'#DwOOOW'#Fz'#FzO<lOWO,5:bOOQS,5:b,5:bOOQS'#F}'#F}O<zQtO,5:iO?lQtO,5=`O@VQ#xO,5=`O@vQtO,5=`OOQS,5:},5:}OA_QeO'#GWOBqQdO,5;^OOQV,5=^,5=^OB|QtO'#\
IPOCkQdO,5;tOOQS-E:[-E:[OOQV,5;s,5;sO4dQdO'#FQOOQV-E9o-E9oOCsQtO,59]OEzQtO,59iOFeQdO'#HVOFpQdO'#HVO1XQdO'#HVOF{QdO'#DTOGTQdO,59mOGYQdO'#HZO'vQdO'#HZO0rQdO,5=tOO\
QS,5=t,5=tO0rQdO'#EROOQS'#ES'#ESOGwQdO'#GPOHXQdO,58|OHXQdO,58|O*xQdO,5:oOHgQtO'#H]OOQS,5:r,5:rOOQS,5:z,5:zOHzQdO,5;OOI]QdO'#IOO1XQdO'#H}OOQS,5;Q,5;QOOQS'#GT'#GT\
OIqQtO,5;QOJPQdO,5;QOJUQdO'#IQOOQS,5;T,5;TOJdQdO'#H|OOQS,5;W,5;WOJuQdO,5;YO4iQdO,5;`O4iQdO,5;cOJ}QtO'#ITO'vQdO'#ITOKXQdO,5;eO4VQdO,5;eO0rQdO,5;jO1XQdO,5;lOK^QeO\
'#EuOLjQgO,5;fO!!kQdO'#IUO4iQdO,5;jO!!vQdO,5;lO!#OQdO,5;qO!#ZQtO,5;vO'vQdO,5;vPOOO,5=[,5=[P!#bOSO,5=[P!#jOdO,5=[O!&bQtO1G.jO!&iQtO1G.jO!)YQtO1G.jO!)dQtO1G.jO!+}\
QtO1G.jO!,bQtO1G.jO!,uQdO'#HcO!-TQtO'#GuO0rQdO'#HcO!-_QdO'#HbOOQS,5:Z,5:ZO!-gQdO,5:ZO!-lQdO'#HeO!-wQdO'#HeO!.[QdO,5>OOOQS'#Ds'#DsOOQS1G/w1G/wOOQS1G.|1G.|O!/[QtO\
1G.|O!/cQtO1G.|O1lQdO1G.|O!0OQdO1G/UOOQS'#DZ'#DZO0rQdO,59tOOQS1G.{1G.{O!0VQdO1G/eO!0gQdO1G/eO!0oQdO1G/fO'vQdO'#H[O!0tQdO'#H[O!0yQtO1G.{O!1ZQdO,59iO!2aQdO,5=zO!2\
qQdO,5=zO!2yQdO1G/mO!3OQtO1G/mOOQS1G/l1G/lO!3`QdO,5=uO!4VQdO,5=uO0rQdO1G/qO!4tQdO1G/sO!4yQtO1G/sO!5ZQtO1G/qOOQS1G/p1G/pOOQS1G/r1G/rOOOW-E9w-E9wOOQS1G/{1G/{O!5kQ\
dO'#HxO0rQdO'#HxO!5|QdO,5>cOOOW-E9x-E9xOOQS1G/|1G/|OOQS-E9{-E9{O!6[Q#xO1G2zO!6{QtO1G2zO'vQdO,5<jOOQS,5<j,5<jOOQS-E9|-E9|OOQS,5<r,5<rOOQS-E:U-E:UOOQV1G0x1G0xO1XQ\
dO'#GRO!7dQtO,5>kOOQS1G1`1G1`O!8RQdO1G1`OOQS'#DV'#DVO0rQdO,5=qOOQS,5=q,5=qO!8WQdO'#FrO!8cQdO,59oO!8kQdO1G/XO!8uQtO,5=uOOQS1G3`1G3`OOQS,5:m,5:mO!9fQdO'#GtOOQS,5<\
k,5<kOOQS-E9}-E9}O!9wQdO1G.hOOQS1G0Z1G0ZO!:VQdO,5=wO!:gQdO,5=wO0rQdO1G0jO0rQdO1G0jO!:xQdO,5>jO!;ZQdO,5>jO1XQdO,5>jO!;lQdO,5>iOOQS-E:R-E:RO!;qQdO1G0lO!;|QdO1G0lO\
!<RQdO,5>lO!<aQdO,5>lO!<oQdO,5>hO!=VQdO,5>hO!=hQdO'#EpO0rQdO1G0tO!=sQdO1G0tO!=xQgO1G0zO!AvQgO1G0}O!EqQdO,5>oO!E{QdO,5>oO!FTQtO,5>oO0rQdO1G1PO!F_QdO1G1PO4iQdO1G1\
UO!!vQdO1G1WOOQV,5;a,5;aO!FdQfO,5;aO!FiQgO1G1QO!JjQdO'#GZO4iQdO1G1QO4iQdO1G1QO!JzQdO,5>pO!KXQdO,5>pO1XQdO,5>pOOQV1G1U1G1UO!KaQdO'#FSO!KrQ!fO1G1WO!KzQdO1G1WOOQV1\
G1]1G1]O4iQdO1G1]O!LPQdO1G1]O!LXQdO'#F^OOQV1G1b1G1bO!#ZQtO1G1bPOOO1G2v1G2vP!L^OSO1G2vOOQS,5=},5=}OOQS'#Dp'#DpO0rQdO,5=}O!LfQdO,5=|O!LyQdO,5=|OOQS1G/u1G/uO!MRQdO\
,5>PO!McQdO,5>PO!MkQdO,5>PO!NOQdO,5>PO!N`QdO,5>POOQS1G3j1G3jOOQS7+$h7+$hO!8kQdO7+$pO#!RQdO1G.|O#!YQdO1G.|OOQS1G/`1G/`OOQS,5<`,5<`O'vQdO,5<`OOQS7+%P7+%PO#!aQdO7+\
%POOQS-E9r-E9rOOQS7+%Q7+%QO#!qQdO,5=vO'vQdO,5=vOOQS7+$g7+$gO#!vQdO7+%PO##OQdO7+%QO##TQdO1G3fOOQS7+%X7+%XO##eQdO1G3fO##mQdO7+%XOOQS,5<_,5<_O'vQdO,5<_O##rQdO1G3aO\
OQS-E9q-E9qO#$iQdO7+%]OOQS7+%_7+%_O#$wQdO1G3aO#%fQdO7+%_O#%kQdO1G3gO#%{QdO1G3gO#&TQdO7+%]O#&YQdO,5>dO#&sQdO,5>dO#&sQdO,5>dOOQS'#Dx'#DxO#'UO&jO'#DzO#'aO`O'#HyOOO\
W1G3}1G3}O#'fQdO1G3}O#'nQdO1G3}O#'yQ#xO7+(fO#(jQtO1G2UP#)TQdO'#GOOOQS,5<m,5<mOOQS-E:P-E:POOQS7+&z7+&zOOQS1G3]1G3]OOQS,5<^,5<^OOQS-E9p-E9pOOQS7+$s7+$sO#)bQdO,5=`\
O#){QdO,5=`O#*^QtO,5<aO#*qQdO1G3cOOQS-E9s-E9sOOQS7+&U7+&UO#+RQdO7+&UO#+aQdO,5<nO#+uQdO1G4UOOQS-E:Q-E:QO#,WQdO1G4UOOQS1G4T1G4TOOQS7+&W7+&WO#,iQdO7+&WOOQS,5<p,5<p\
O#,tQdO1G4WOOQS-E:S-E:SOOQS,5<l,5<lO#-SQdO1G4SOOQS-E:O-E:OO1XQdO'#EqO#-jQdO'#EqO#-uQdO'#IRO#-}QdO,5;[OOQS7+&`7+&`O0rQdO7+&`O#.SQgO7+&fO!JmQdO'#GXO4iQdO7+&fO4iQd\
O7+&iO#2QQtO,5<tO'vQdO,5<tO#2[QdO1G4ZOOQS-E:W-E:WO#2fQdO1G4ZO4iQdO7+&kO0rQdO7+&kOOQV7+&p7+&pO!KrQ!fO7+&rO!KzQdO7+&rO`QeO1G0{OOQV-E:X-E:XO4iQdO7+&lO4iQdO7+&lOOQV\
,5<u,5<uO#2nQdO,5<uO!JmQdO,5<uOOQV7+&l7+&lO#2yQgO7+&lO#6tQdO,5<vO#7PQdO1G4[OOQS-E:Y-E:YO#7^QdO1G4[O#7fQdO'#IWO#7tQdO'#IWO1XQdO'#IWOOQS'#IW'#IWO#8PQdO'#IVOOQS,5;\
n,5;nO#8XQdO,5;nO0rQdO'#FUOOQV7+&r7+&rO4iQdO7+&rOOQV7+&w7+&wO4iQdO7+&wO#8^QfO,5;xOOQV7+&|7+&|POOO7+(b7+(bO#8cQdO1G3iOOQS,5<c,5<cO#8qQdO1G3hOOQS-E9u-E9uO#9UQdO,5\
<dO#9aQdO,5<dO#9tQdO1G3kOOQS-E9v-E9vO#:UQdO1G3kO#:^QdO1G3kO#:nQdO1G3kO#:UQdO1G3kOOQS<<H[<<H[O#:yQtO1G1zOOQS<<Hk<<HkP#;WQdO'#FtO8vQdO1G3bO#;eQdO1G3bO#;jQdO<<HkOO\
QS<<Hl<<HlO#;zQdO7+)QOOQS<<Hs<<HsO#<[QtO1G1yP#<{QdO'#FsO#=YQdO7+)RO#=jQdO7+)RO#=rQdO<<HwO#=wQdO7+({OOQS<<Hy<<HyO#>nQdO,5<bO'vQdO,5<bOOQS-E9t-E9tOOQS<<Hw<<HwOOQS\
,5<g,5<gO0rQdO,5<gO#>sQdO1G4OOOQS-E9y-E9yO#?^QdO1G4OO<[QdO'#H{OOOO'#D{'#D{OOOO'#F|'#F|O#?oO&jO,5:fOOOW,5>e,5>eOOOW7+)i7+)iO#?zQdO7+)iO#@SQdO1G2zO#@mQdO1G2zP'vQd\
O'#FuO0rQdO<<IpO1XQdO1G2YP1XQdO'#GSO#AOQdO7+)pO#AaQdO7+)pOOQS<<Ir<<IrP1XQdO'#GUP0rQdO'#GQOOQS,5;],5;]O#ArQdO,5>mO#BQQdO,5>mOOQS1G0v1G0vOOQS<<Iz<<IzOOQV-E:V-E:VO\
4iQdO<<JQOOQV,5<s,5<sO4iQdO,5<sOOQV<<JQ<<JQOOQV<<JT<<JTO#BYQtO1G2`P#BdQdO'#GYO#BkQdO7+)uO#BuQgO<<JVO4iQdO<<JVOOQV<<J^<<J^O4iQdO<<J^O!KrQ!fO<<J^O#FpQgO7+&gOOQV<<\
JW<<JWO#FzQgO<<JWOOQV1G2a1G2aO1XQdO1G2aO#JuQdO1G2aO4iQdO<<JWO1XQdO1G2bP0rQdO'#G[O#KQQdO7+)vO#K_QdO7+)vOOQS'#FT'#FTO0rQdO,5>rO#KgQdO,5>rO#KrQdO,5>rO#K}QdO,5>qO#L\
`QdO,5>qOOQS1G1Y1G1YOOQS,5;p,5;pOOQV<<Jc<<JcO#LhQdO1G1dOOQS7+)T7+)TP#LmQdO'#FwO#L}QdO1G2OO#MbQdO1G2OO#MrQdO1G2OP#M}QdO'#FxO#N[QdO7+)VO#NlQdO7+)VO#NlQdO7+)VO#NtQ\
dO7+)VO$ UQdO7+(|O8vQdO7+(|OOQSAN>VAN>VO$ oQdO<<LmOOQSAN>cAN>cO0rQdO1G1|O$!PQtO1G1|P$!ZQdO'#FvOOQS1G2R1G2RP$!hQdO'#F{O$!uQdO7+)jO$#`QdO,5>gOOOO-E9z-E9zOOOW<<MT<\
<MTO$#nQdO7+(fOOQSAN?[AN?[OOQS7+'t7+'tO$$XQdO<<M[OOQS,5<q,5<qO$$jQdO1G4XOOQS-E:T-E:TOOQVAN?lAN?lOOQV1G2_1G2_O4iQdOAN?qO$$xQgOAN?qOOQVAN?xAN?xO4iQdOAN?xOOQV<<JR<\
<JRO4iQdOAN?rO4iQdO7+'{OOQV7+'{7+'{O1XQdO7+'{OOQVAN?rAN?rOOQS7+'|7+'|O$(sQdO<<MbOOQS1G4^1G4^O0rQdO1G4^OOQS,5<w,5<wO$)QQdO1G4]OOQS-E:Z-E:ZOOQU'#G_'#G_O$)cQfO7+'O\
O$)nQdO'#F_O$*uQdO7+'jO$+VQdO7+'jOOQS7+'j7+'jO$+bQdO<<LqO$+rQdO<<LqO$+rQdO<<LqO$+zQdO'#H^OOQS<<Lh<<LhO$,UQdO<<LhOOQS7+'h7+'hOOQS'#D|'#D|OOOO1G4R1G4RO$,oQdO1G4RO\
$,wQdO1G4RP!=hQdO'#GVOOQVG25]G25]O4iQdOG25]OOQVG25dG25dOOQVG25^G25^OOQV<<Kg<<KgO4iQdO<<KgOOQS7+)x7+)xP$-SQdO'#G]OOQU-E:]-E:]OOQV<<Jj<<JjO$-vQtO'#FaOOQS'#Fc'#FcO\
$.WQdO'#FbO$.xQdO'#FbOOQS'#Fb'#FbO$.}QdO'#IYO$)nQdO'#FiO$)nQdO'#FiO$/fQdO'#FjO$)nQdO'#FkO$/mQdO'#IZOOQS'#IZ'#IZO$0[QdO,5;yOOQS<<KU<<KUO$0dQdO<<KUO$0tQdOANB]O$1U\
QdOANB]O$1^QdO'#H_OOQS'#H_'#H_O1sQdO'#DcO$1wQdO,5=xOOQSANBSANBSOOOO7+)m7+)mO$2`QdO7+)mOOQVLD*wLD*wOOQVANARANARO5uQ!fO'#GaO$2hQtO,5<SO$)nQdO'#FmOOQS,5<W,5<WOOQS'\
#Fd'#FdO$3YQdO,5;|O$3_QdO,5;|OOQS'#Fg'#FgO$)nQdO'#G`O$4PQdO,5<QO$4kQdO,5>tO$4{QdO,5>tO1XQdO,5<PO$5^QdO,5<TO$5cQdO,5<TO$)nQdO'#I[O$5hQdO'#I[O$5mQdO,5<UOOQS,5<V,5\
<VO0rQdO'#FpOOQU1G1e1G1eO4iQdO1G1eOOQSAN@pAN@pO$5rQdOG27wO$6SQdO,59}OOQS1G3d1G3dOOOO<<MX<<MXOOQS,5<{,5<{OOQS-E:_-E:_O$6XQtO'#FaO$6`QdO'#I]O$6nQdO'#I]O$6vQdO,5<X\
OOQS1G1h1G1hO$6{QdO1G1hO$7QQdO,5<zOOQS-E:^-E:^O$7lQdO,5=OO$8TQdO1G4`OOQS-E:b-E:bOOQS1G1k1G1kOOQS1G1o1G1oO$8eQdO,5>vO$)nQdO,5>vOOQS1G1p1G1pOOQS,5<[,5<[OOQU7+'P7+\
'PO$+zQdO1G/iO$)nQdO,5<YO$8sQdO,5>wO$8zQdO,5>wOOQS1G1s1G1sOOQS7+'S7+'SP$)nQdO'#GdO$9SQdO1G4bO$9^QdO1G4bO$9fQdO1G4bOOQS7+%T7+%TO$9tQdO1G1tO$:SQtO'#FaO$:ZQdO,5<}O\
OQS,5<},5<}O$:iQdO1G4cOOQS-E:a-E:aO$)nQdO,5<|O$:pQdO,5<|O$:uQdO7+)|OOQS-E:`-E:`O$;PQdO7+)|O$)nQdO,5<ZP$)nQdO'#GcO$;XQdO1G2hO$)nQdO1G2hP$;gQdO'#GbO$;nQdO<<MhO$;x\
QdO1G1uO$<WQdO7+(SO8vQdO'#C}O8vQdO,59bO8vQdO,59bO8vQdO,59bO$<fQtO,5=`O8vQdO1G.|O0rQdO1G/XO0rQdO7+$pP$<yQdO'#GOO'vQdO'#GtO$=WQdO,59bO$=]QdO,59bO$=dQdO,59mO$=iQdO\
1G/UO1sQdO'#DRO8vQdO,59j",stateData:"$>S~O%cOS%^OSSOS%]PQ~OPdOVaOfoOhYOopOs!POvqO!PrO!Q{O!T!SO!U!RO!XZO!][O!h`O!r`O!s`O!t`O!{tO!}uO#PvO#RwO#TxO#XyO#ZzO#^|O#_|O#\
a}O#c!OO#l!QO#o!TO#s!UO#u!VO#z!WO#}hO$P!XO%oRO%pRO%tSO%uWO&Z]O&[]O&]]O&^]O&_]O&`]O&a]O&b]O&c^O&d^O&e^O&f^O&g^O&h^O&i^O&j^O~O%]!YO~OV!aO_!aOa!bOh!iO!X!kO!f!mO%j!\
[O%k!]O%l!^O%m!_O%n!_O%o!`O%p!`O%q!aO%r!aO%s!aO~Ok%xXl%xXm%xXn%xXo%xXp%xXs%xXz%xX{%xX!x%xX#g%xX%[%xX%_%xX%z%xXg%xX!T%xX!U%xX%{%xX!W%xX![%xX!Q%xX#[%xXt%xX!m%xX~P\
%SOfoOhYO!XZO!][O!h`O!r`O!s`O!t`O%oRO%pRO%tSO%uWO&Z]O&[]O&]]O&^]O&_]O&`]O&a]O&b]O&c^O&d^O&e^O&f^O&g^O&h^O&i^O&j^O~Oz%wX{%wX#g%wX%[%wX%_%wX%z%wX~Ok!pOl!qOm!oOn!o\
Oo!rOp!sOs!tO!x%wX~P)pOV!zOg!|Oo0cOv0qO!PrO~P'vOV#OOo0cOv0qO!W#PO~P'vOV#SOa#TOo0cOv0qO![#UO~P'vOQ#XO%`#XO%a#ZO~OQ#^OR#[O%`#^O%a#`O~OV%iX_%iXa%iXh%iXk%iXl%iXm%iX\
n%iXo%iXp%iXs%iXz%iX!X%iX!f%iX%j%iX%k%iX%l%iX%m%iX%n%iX%o%iX%p%iX%q%iX%r%iX%s%iXg%iX!T%iX!U%iX~O&Z]O&[]O&]]O&^]O&_]O&`]O&a]O&b]O&c^O&d^O&e^O&f^O&g^O&h^O&i^O&j^O\
{%iX!x%iX#g%iX%[%iX%_%iX%z%iX%{%iX!W%iX![%iX!Q%iX#[%iXt%iX!m%iX~P,eOz#dO{%hX!x%hX#g%hX%[%hX%_%hX%z%hX~Oo0cOv0qO~P'vO#g#gO%[#iO%_#iO~O%uWO~O!T#nO#u!VO#z!WO#}hO~O\
opO~P'vOV#sOa#tO%uWO{wP~OV#xOo0cOv0qO!Q#yO~P'vO{#{O!x$QO%z#|O#g!yX%[!yX%_!yX~OV#xOo0cOv0qO#g#SX%[#SX%_#SX~P'vOo0cOv0qO#g#WX%[#WX%_#WX~P'vOh$WO%uWO~O!f$YO!r$YO%u\
WO~OV$eO~P'vO!U$gO#s$hO#u$iO~O{$jO~OV$qO~P'vOS$sO%[$rO%_$rO%c$tO~OV$}Oa$}Og%POo0cOv0qO~P'vOo0cOv0qO{%SO~P'vO&Y%UO~Oa!bOh!iO!X!kO!f!mOVba_bakbalbambanbaobapbasba\
zba{ba!xba#gba%[ba%_ba%jba%kba%lba%mba%nba%oba%pba%qba%rba%sba%zbagba!Tba!Uba%{ba!Wba![ba!Qba#[batba!mba~On%ZO~Oo%ZO~P'vOo0cO~P'vOk0eOl0fOm0dOn0dOo0mOp0nOs0rOg%\
wX!T%wX!U%wX%{%wX!W%wX![%wX!Q%wX#[%wX!m%wX~P)pO%{%]Og%vXz%vX!T%vX!U%vX!W%vX{%vX~Og%_Oz%`O!T%dO!U%cO~Og%_O~Oz%gO!T%dO!U%cO!W&SX~O!W%kO~Oz%lO{%nO!T%dO!U%cO![%}X~O\
![%rO~O![%sO~OQ#XO%`#XO%a%uO~OV%wOo0cOv0qO!PrO~P'vOQ#^OR#[O%`#^O%a%zO~OV!qa_!qaa!qah!qak!qal!qam!qan!qao!qap!qas!qaz!qa{!qa!X!qa!f!qa!x!qa#g!qa%[!qa%_!qa%j!qa%k\
!qa%l!qa%m!qa%n!qa%o!qa%p!qa%q!qa%r!qa%s!qa%z!qag!qa!T!qa!U!qa%{!qa!W!qa![!qa!Q!qa#[!qat!qa!m!qa~P#yOz%|O{%ha!x%ha#g%ha%[%ha%_%ha%z%ha~P%SOV&OOopOvqO{%ha!x%ha#g\
%ha%[%ha%_%ha%z%ha~P'vOz%|O{%ha!x%ha#g%ha%[%ha%_%ha%z%ha~OPdOVaOopOvqO!PrO!Q{O!{tO!}uO#PvO#RwO#TxO#XyO#ZzO#^|O#_|O#a}O#c!OO#g$zX%[$zX%_$zX~P'vO#g#gO%[&TO%_&TO~O\
!f&UOh&sX%[&sXz&sX#[&sX#g&sX%_&sX#Z&sXg&sX~Oh!iO%[&WO~Okealeameaneaoeapeaseazea{ea!xea#gea%[ea%_ea%zeagea!Tea!Uea%{ea!Wea![ea!Qea#[eatea!mea~P%SOsqazqa{qa#gqa%[\
qa%_qa%zqa~Ok!pOl!qOm!oOn!oOo!rOp!sO!xqa~PEcO%z&YOz%yX{%yX~O%uWOz%yX{%yX~Oz&]O{wX~O{&_O~Oz%lO#g%}X%[%}X%_%}Xg%}X{%}X![%}X!m%}X%z%}X~OV0lOo0cOv0qO!PrO~P'vO%z#|O#\
gUa%[Ua%_Ua~Oz&hO#g&PX%[&PX%_&PXn&PX~P%SOz&kO!Q&jO#g#Wa%[#Wa%_#Wa~Oz&lO#[&nO#g&rX%[&rX%_&rXg&rX~O!f$YO!r$YO#Z&qO%uWO~O#Z&qO~Oz&sO#g&tX%[&tX%_&tX~Oz&uO#g&pX%[&pX\
%_&pX{&pX~O!X&wO%z&xO~Oz&|On&wX~P%SOn'PO~OPdOVaOopOvqO!PrO!Q{O!{tO!}uO#PvO#RwO#TxO#XyO#ZzO#^|O#_|O#a}O#c!OO%['UO~P'vOt'YO#p'WO#q'XOP#naV#naf#nah#nao#nas#nav#na!\
P#na!Q#na!T#na!U#na!X#na!]#na!h#na!r#na!s#na!t#na!{#na!}#na#P#na#R#na#T#na#X#na#Z#na#^#na#_#na#a#na#c#na#l#na#o#na#s#na#u#na#z#na#}#na$P#na%X#na%o#na%p#na%t#na%\
u#na&Z#na&[#na&]#na&^#na&_#na&`#na&a#na&b#na&c#na&d#na&e#na&f#na&g#na&h#na&i#na&j#na%Z#na%_#na~Oz'ZO#[']O{&xX~Oh'_O!X&wO~Oh!iO{$jO!X&wO~O{'eO~P%SO%['hO%_'hO~OS'\
iO%['hO%_'hO~OV!aO_!aOa!bOh!iO!X!kO!f!mO%l!^O%m!_O%n!_O%o!`O%p!`O%q!aO%r!aO%s!aOkWilWimWinWioWipWisWizWi{Wi!xWi#gWi%[Wi%_Wi%jWi%zWigWi!TWi!UWi%{Wi!WWi![Wi!QWi#[\
WitWi!mWi~O%k!]O~P!#uO%kWi~P!#uOV!aO_!aOa!bOh!iO!X!kO!f!mO%o!`O%p!`O%q!aO%r!aO%s!aOkWilWimWinWioWipWisWizWi{Wi!xWi#gWi%[Wi%_Wi%jWi%kWi%lWi%zWigWi!TWi!UWi%{Wi!WW\
i![Wi!QWi#[WitWi!mWi~O%m!_O%n!_O~P!&pO%mWi%nWi~P!&pOa!bOh!iO!X!kO!f!mOkWilWimWinWioWipWisWizWi{Wi!xWi#gWi%[Wi%_Wi%jWi%kWi%lWi%mWi%nWi%oWi%pWi%zWigWi!TWi!UWi%{Wi\
!WWi![Wi!QWi#[WitWi!mWi~OV!aO_!aO%q!aO%r!aO%s!aO~P!)nOVWi_Wi%qWi%rWi%sWi~P!)nO!T%dO!U%cOg&VXz&VX~O%z'kO%{'kO~P,eOz'mOg&UX~Og'oO~Oz'pO{'rO!W&XX~Oo0cOv0qOz'pO{'sO\
!W&XX~P'vO!W'uO~Om!oOn!oOo!rOp!sOkjisjizji{ji!xji#gji%[ji%_ji%zji~Ol!qO~P!.aOlji~P!.aOk0eOl0fOm0dOn0dOo0mOp0nO~Ot'wO~P!/jOV'|Og'}Oo0cOv0qO~P'vOg'}Oz(OO~Og(QO~O!\
U(SO~Og(TOz(OO!T%dO!U%cO~P%SOk0eOl0fOm0dOn0dOo0mOp0nOgqa!Tqa!Uqa%{qa!Wqa![qa!Qqa#[qatqa!mqa~PEcOV'|Oo0cOv0qO!W&Sa~P'vOz(WO!W&Sa~O!W(XO~Oz(WO!T%dO!U%cO!W&Sa~P%SO\
V(]Oo0cOv0qO![%}a#g%}a%[%}a%_%}ag%}a{%}a!m%}a%z%}a~P'vOz(^O![%}a#g%}a%[%}a%_%}ag%}a{%}a!m%}a%z%}a~O![(aO~Oz(^O!T%dO!U%cO![%}a~P%SOz(dO!T%dO!U%cO![&Ta~P%SOz(gO{&\
lX![&lX!m&lX%z&lX~O{(kO![(mO!m(nO%z(jO~OV&OOopOvqO{%hi!x%hi#g%hi%[%hi%_%hi%z%hi~P'vOz(pO{%hi!x%hi#g%hi%[%hi%_%hi%z%hi~O!f&UOh&sa%[&saz&sa#[&sa#g&sa%_&sa#Z&sag&s\
a~O%[(uO~OV#sOa#tO%uWO~Oz&]O{wa~OopOvqO~P'vOz(^O#g%}a%[%}a%_%}ag%}a{%}a![%}a!m%}a%z%}a~P%SOz(zO#g%hX%[%hX%_%hX%z%hX~O%z#|O#gUi%[Ui%_Ui~O#g&Pa%[&Pa%_&Pan&Pa~P'vO\
z(}O#g&Pa%[&Pa%_&Pan&Pa~O%uWO#g&ra%[&ra%_&rag&ra~Oz)SO#g&ra%[&ra%_&rag&ra~Og)VO~OV)WOh$WO%uWO~O#Z)XO~O%uWO#g&ta%[&ta%_&ta~Oz)ZO#g&ta%[&ta%_&ta~Oo0cOv0qO#g&pa%[&\
pa%_&pa{&pa~P'vOz)^O#g&pa%[&pa%_&pa{&pa~OV)`Oa)`O%uWO~O%z)eO~Ot)hO#j)gOP#hiV#hif#hih#hio#his#hiv#hi!P#hi!Q#hi!T#hi!U#hi!X#hi!]#hi!h#hi!r#hi!s#hi!t#hi!{#hi!}#hi#\
P#hi#R#hi#T#hi#X#hi#Z#hi#^#hi#_#hi#a#hi#c#hi#l#hi#o#hi#s#hi#u#hi#z#hi#}#hi$P#hi%X#hi%o#hi%p#hi%t#hi%u#hi&Z#hi&[#hi&]#hi&^#hi&_#hi&`#hi&a#hi&b#hi&c#hi&d#hi&e#hi&\
f#hi&g#hi&h#hi&i#hi&j#hi%Z#hi%_#hi~Ot)iOP#kiV#kif#kih#kio#kis#kiv#ki!P#ki!Q#ki!T#ki!U#ki!X#ki!]#ki!h#ki!r#ki!s#ki!t#ki!{#ki!}#ki#P#ki#R#ki#T#ki#X#ki#Z#ki#^#ki#_\
#ki#a#ki#c#ki#l#ki#o#ki#s#ki#u#ki#z#ki#}#ki$P#ki%X#ki%o#ki%p#ki%t#ki%u#ki&Z#ki&[#ki&]#ki&^#ki&_#ki&`#ki&a#ki&b#ki&c#ki&d#ki&e#ki&f#ki&g#ki&h#ki&i#ki&j#ki%Z#ki%_\
#ki~OV)kOn&wa~P'vOz)lOn&wa~Oz)lOn&wa~P%SOn)pO~O%Y)tO~Ot)wO#p'WO#q)vOP#niV#nif#nih#nio#nis#niv#ni!P#ni!Q#ni!T#ni!U#ni!X#ni!]#ni!h#ni!r#ni!s#ni!t#ni!{#ni!}#ni#P#n\
i#R#ni#T#ni#X#ni#Z#ni#^#ni#_#ni#a#ni#c#ni#l#ni#o#ni#s#ni#u#ni#z#ni#}#ni$P#ni%X#ni%o#ni%p#ni%t#ni%u#ni&Z#ni&[#ni&]#ni&^#ni&_#ni&`#ni&a#ni&b#ni&c#ni&d#ni&e#ni&f#n\
i&g#ni&h#ni&i#ni&j#ni%Z#ni%_#ni~OV)zOo0cOv0qO{$jO~P'vOo0cOv0qO{&xa~P'vOz*OO{&xa~OV*SOa*TOg*WO%q*UO%uWO~O{$jO&{*YO~Oh'_O~Oh!iO{$jO~O%[*_O~O%[*aO%_*aO~OV$}Oa$}Oo0\
cOv0qOg&Ua~P'vOz*dOg&Ua~Oo0cOv0qO{*gO!W&Xa~P'vOz*hO!W&Xa~Oo0cOv0qOz*hO{*kO!W&Xa~P'vOo0cOv0qOz*hO!W&Xa~P'vOz*hO{*kO!W&Xa~Om0dOn0dOo0mOp0nOgjikjisjizji!Tji!Uji%{j\
i!Wji{ji![ji#gji%[ji%_ji!Qji#[jitji!mji%zji~Ol0fO~P!NkOlji~P!NkOV'|Og*pOo0cOv0qO~P'vOn*rO~Og*pOz*tO~Og*uO~OV'|Oo0cOv0qO!W&Si~P'vOz*vO!W&Si~O!W*wO~OV(]Oo0cOv0qO!\
[%}i#g%}i%[%}i%_%}ig%}i{%}i!m%}i%z%}i~P'vOz*zO!T%dO!U%cO![&Ti~Oz*}O![%}i#g%}i%[%}i%_%}ig%}i{%}i!m%}i%z%}i~O![+OO~Oa+QOo0cOv0qO![&Ti~P'vOz*zO![&Ti~O![+SO~OV+UOo0\
cOv0qO{&la![&la!m&la%z&la~P'vOz+VO{&la![&la!m&la%z&la~O!]+YO&n+[O![!nX~O![+^O~O{(kO![+_O~O{(kO![+_O!m+`O~OV&OOopOvqO{%hq!x%hq#g%hq%[%hq%_%hq%z%hq~P'vOz$ri{$ri!x\
$ri#g$ri%[$ri%_$ri%z$ri~P%SOV&OOopOvqO~P'vOV&OOo0cOv0qO#g%ha%[%ha%_%ha%z%ha~P'vOz+aO#g%ha%[%ha%_%ha%z%ha~Oz$ia#g$ia%[$ia%_$ian$ia~P%SO#g&Pi%[&Pi%_&Pin&Pi~P'vOz+\
dO#g#Wq%[#Wq%_#Wq~O#[+eOz$va#g$va%[$va%_$vag$va~O%uWO#g&ri%[&ri%_&rig&ri~Oz+gO#g&ri%[&ri%_&rig&ri~OV+iOh$WO%uWO~O%uWO#g&ti%[&ti%_&ti~Oo0cOv0qO#g&pi%[&pi%_&pi{&p\
i~P'vO{#{Oz#eX!W#eX~Oz+mO!W&uX~O!W+oO~Ot+rO#j)gOP#hqV#hqf#hqh#hqo#hqs#hqv#hq!P#hq!Q#hq!T#hq!U#hq!X#hq!]#hq!h#hq!r#hq!s#hq!t#hq!{#hq!}#hq#P#hq#R#hq#T#hq#X#hq#Z#h\
q#^#hq#_#hq#a#hq#c#hq#l#hq#o#hq#s#hq#u#hq#z#hq#}#hq$P#hq%X#hq%o#hq%p#hq%t#hq%u#hq&Z#hq&[#hq&]#hq&^#hq&_#hq&`#hq&a#hq&b#hq&c#hq&d#hq&e#hq&f#hq&g#hq&h#hq&i#hq&j#h\
q%Z#hq%_#hq~On$|az$|a~P%SOV)kOn&wi~P'vOz+yOn&wi~Oz,TO{$jO#[,TO~O#q,VOP#nqV#nqf#nqh#nqo#nqs#nqv#nq!P#nq!Q#nq!T#nq!U#nq!X#nq!]#nq!h#nq!r#nq!s#nq!t#nq!{#nq!}#nq#P#\
nq#R#nq#T#nq#X#nq#Z#nq#^#nq#_#nq#a#nq#c#nq#l#nq#o#nq#s#nq#u#nq#z#nq#}#nq$P#nq%X#nq%o#nq%p#nq%t#nq%u#nq&Z#nq&[#nq&]#nq&^#nq&_#nq&`#nq&a#nq&b#nq&c#nq&d#nq&e#nq&f#\
nq&g#nq&h#nq&i#nq&j#nq%Z#nq%_#nq~O#[,WOz%Oa{%Oa~Oo0cOv0qO{&xi~P'vOz,YO{&xi~O{#{O%z,[Og&zXz&zX~O%uWOg&zXz&zX~Oz,`Og&yX~Og,bO~O%Y,eO~O!T%dO!U%cOg&Viz&Vi~OV$}Oa$}O\
o0cOv0qOg&Ui~P'vO{,hOz$la!W$la~Oo0cOv0qO{,iOz$la!W$la~P'vOo0cOv0qO{*gO!W&Xi~P'vOz,lO!W&Xi~Oo0cOv0qOz,lO!W&Xi~P'vOz,lO{,oO!W&Xi~Og$hiz$hi!W$hi~P%SOV'|Oo0cOv0qO~P\
'vOn,qO~OV'|Og,rOo0cOv0qO~P'vOV'|Oo0cOv0qO!W&Sq~P'vOz$gi![$gi#g$gi%[$gi%_$gig$gi{$gi!m$gi%z$gi~P%SOV(]Oo0cOv0qO~P'vOa+QOo0cOv0qO![&Tq~P'vOz,sO![&Tq~O![,tO~OV(]O\
o0cOv0qO![%}q#g%}q%[%}q%_%}qg%}q{%}q!m%}q%z%}q~P'vO{,uO~OV+UOo0cOv0qO{&li![&li!m&li%z&li~P'vOz,zO{&li![&li!m&li%z&li~O!]+YO&n+[O![!na~O{(kO![,}O~OV&OOo0cOv0qO#g\
%hi%[%hi%_%hi%z%hi~P'vOz-OO#g%hi%[%hi%_%hi%z%hi~O%uWO#g&rq%[&rq%_&rqg&rq~Oz-RO#g&rq%[&rq%_&rqg&rq~OV)`Oa)`O%uWO!W&ua~Oz-TO!W&ua~On$|iz$|i~P%SOV)kO~P'vOV)kOn&wq~\
P'vOt-XOP#myV#myf#myh#myo#mys#myv#my!P#my!Q#my!T#my!U#my!X#my!]#my!h#my!r#my!s#my!t#my!{#my!}#my#P#my#R#my#T#my#X#my#Z#my#^#my#_#my#a#my#c#my#l#my#o#my#s#my#u#m\
y#z#my#}#my$P#my%X#my%o#my%p#my%t#my%u#my&Z#my&[#my&]#my&^#my&_#my&`#my&a#my&b#my&c#my&d#my&e#my&f#my&g#my&h#my&i#my&j#my%Z#my%_#my~O%Z-]O%_-]O~P`O#q-^OP#nyV#ny\
f#nyh#nyo#nys#nyv#ny!P#ny!Q#ny!T#ny!U#ny!X#ny!]#ny!h#ny!r#ny!s#ny!t#ny!{#ny!}#ny#P#ny#R#ny#T#ny#X#ny#Z#ny#^#ny#_#ny#a#ny#c#ny#l#ny#o#ny#s#ny#u#ny#z#ny#}#ny$P#ny\
%X#ny%o#ny%p#ny%t#ny%u#ny&Z#ny&[#ny&]#ny&^#ny&_#ny&`#ny&a#ny&b#ny&c#ny&d#ny&e#ny&f#ny&g#ny&h#ny&i#ny&j#ny%Z#ny%_#ny~Oz-aO{$jO#[-aO~Oo0cOv0qO{&xq~P'vOz-dO{&xq~O%\
z,[Og&zaz&za~O{#{Og&zaz&za~OV*SOa*TO%q*UO%uWOg&ya~Oz-hOg&ya~O$S-lO~OV$}Oa$}Oo0cOv0qO~P'vOo0cOv0qO{-mOz$li!W$li~P'vOo0cOv0qOz$li!W$li~P'vO{-mOz$li!W$li~Oo0cOv0qO\
{*gO~P'vOo0cOv0qO{*gO!W&Xq~P'vOz-pO!W&Xq~Oo0cOv0qOz-pO!W&Xq~P'vOs-sO!T%dO!U%cOg&Oq!W&Oq![&Oqz&Oq~P!/jOa+QOo0cOv0qO![&Ty~P'vOz$ji![$ji~P%SOa+QOo0cOv0qO~P'vOV+UOo\
0cOv0qO~P'vOV+UOo0cOv0qO{&lq![&lq!m&lq%z&lq~P'vO{(kO![-xO!m-yO%z-wO~OV&OOo0cOv0qO#g%hq%[%hq%_%hq%z%hq~P'vO%uWO#g&ry%[&ry%_&ryg&ry~OV)`Oa)`O%uWO!W&ui~Ot-}OP#m!RV\
#m!Rf#m!Rh#m!Ro#m!Rs#m!Rv#m!R!P#m!R!Q#m!R!T#m!R!U#m!R!X#m!R!]#m!R!h#m!R!r#m!R!s#m!R!t#m!R!{#m!R!}#m!R#P#m!R#R#m!R#T#m!R#X#m!R#Z#m!R#^#m!R#_#m!R#a#m!R#c#m!R#l#m!\
R#o#m!R#s#m!R#u#m!R#z#m!R#}#m!R$P#m!R%X#m!R%o#m!R%p#m!R%t#m!R%u#m!R&Z#m!R&[#m!R&]#m!R&^#m!R&_#m!R&`#m!R&a#m!R&b#m!R&c#m!R&d#m!R&e#m!R&f#m!R&g#m!R&h#m!R&i#m!R&j#\
m!R%Z#m!R%_#m!R~Oo0cOv0qO{&xy~P'vOV*SOa*TO%q*UO%uWOg&yi~O$S-lO%Z.VO%_.VO~OV.aOh._O!X.^O!].`O!h.YO!s.[O!t.[O%p.XO%uWO&Z]O&[]O&]]O&^]O&_]O&`]O&a]O&b]O~Oo0cOv0qOz$\
lq!W$lq~P'vO{.fOz$lq!W$lq~Oo0cOv0qO{*gO!W&Xy~P'vOz.gO!W&Xy~Oo0cOv.kO~P'vOs-sO!T%dO!U%cOg&Oy!W&Oy![&Oyz&Oy~P!/jO{(kO![.nO~O{(kO![.nO!m.oO~OV*SOa*TO%q*UO%uWO~Oh.t\
O!f.rOz$TX#[$TX%j$TXg$TX~Os$TX{$TX!W$TX![$TX~P$-bO%o.vO%p.vOs$UXz$UX{$UX#[$UX%j$UX!W$UXg$UX![$UX~O!h.xO~Oz.|O#[/OO%j.yOs&|X{&|X!W&|Xg&|X~Oa/RO~P$)zOh.tOs&}Xz&}X\
{&}X#[&}X%j&}X!W&}Xg&}X![&}X~Os/VO{$jO~Oo0cOv0qOz$ly!W$ly~P'vOo0cOv0qO{*gO!W&X!R~P'vOz/ZO!W&X!R~Og&RXs&RX!T&RX!U&RX!W&RX![&RXz&RX~P!/jOs-sO!T%dO!U%cOg&Qa!W&Qa![\
&Qaz&Qa~O{(kO![/^O~O!f.rOh$[as$[az$[a{$[a#[$[a%j$[a!W$[ag$[a![$[a~O!h/eO~O%o.vO%p.vOs$Uaz$Ua{$Ua#[$Ua%j$Ua!W$Uag$Ua![$Ua~O%j.yOs$Yaz$Ya{$Ya#[$Ya!W$Yag$Ya![$Ya~O\
s&|a{&|a!W&|ag&|a~P$)nOz/jOs&|a{&|a!W&|ag&|a~O!W/mO~Og/mO~O{/oO~O![/pO~Oo0cOv0qO{*gO!W&X!Z~P'vO{/sO~O%z/tO~P$-bOz/uO#[/OO%j.yOg'PX~Oz/uOg'PX~Og/wO~O!h/xO~O#[/OO\
s%Saz%Sa{%Sa%j%Sa!W%Sag%Sa![%Sa~O#[/OO%j.yOs%Waz%Wa{%Wa!W%Wag%Wa~Os&|i{&|i!W&|ig&|i~P$)nOz/zO#[/OO%j.yO!['Oa~Og'Pa~P$)nOz0SOg'Pa~Oa0UO!['Oi~P$)zOz0WO!['Oi~Oz0WO\
#[/OO%j.yO!['Oi~O#[/OO%j.yOg$biz$bi~O%z0ZO~P$-bO#[/OO%j.yOg%Vaz%Va~Og'Pi~P$)nO{0^O~Oa0UO!['Oq~P$)zOz0`O!['Oq~O#[/OO%j.yOz%Ui![%Ui~Oa0UO~P$)zOa0UO!['Oy~P$)zO#[/O\
O%j.yOg$ciz$ci~O#[/OO%j.yOz%Uq![%Uq~Oz+aO#g%ha%[%ha%_%ha%z%ha~P%SOV&OOo0cOv0qO~P'vOn0hO~Oo0hO~P'vO{0iO~Ot0jO~P!/jO&]&Z&j&h&i&g&f&d&e&c&b&`&a&_&^&[%u~",goto:"!=j\
'QPPPPPP'RP'Z*s+[+t,_,y-fP.SP'Z.r.r'ZPPP'Z2[PPPPPP2[5PPP5PP7b7k=sPP=v>h>kPP'Z'ZPP>zPP'Z'ZPP'Z'Z'Z'Z'Z?O?w'ZP?zP@QDXGuGyPG|HWH['ZPPPH_Hk'RP'R'RP'RP'RP'RP'RP'R'R'\
RP'RPP'RPP'RP'RPHqH}IVPI^IdPI^PI^I^PPPI^PKrPK{LVL]KrPI^LfPI^PLmLsPLwM]MzNeLwLwNkNxLwLwLwLw! ^! d! g! l! o! y!!P!!]!!o!!u!#P!#V!#s!#y!$P!$Z!$a!$g!$y!%T!%Z!%a!%k!\
%q!%w!%}!&T!&Z!&e!&k!&u!&{!'U!'[!'k!'s!'}!(UPPPPPPPPPPP!([!(_!(e!(n!(x!)TPPPPPPPPPPPP!-u!/Z!3^!6oPP!6w!7W!7a!8Y!8P!8c!8i!8l!8o!8r!8z!9jPPPPPPPPPPPPPPPPP!9m!9q!9\
wP!:]!:a!:m!:v!;S!;j!;m!;p!;v!;|!<S!<VP!<_!<h!=d!=g]eOn#g$j)t,P'}`OTYZ[adnoprtxy}!P!Q!R!U!X!c!d!e!f!g!h!i!k!o!p!q!s!t!z#O#S#T#[#d#g#x#y#{#}$Q$e$g$h$j$q$}%S%Z%^%\
`%c%g%l%n%w%|&O&Z&_&h&j&k&u&x&|'P'W'Z'l'm'p'r's'w'|(O(S(W(](^(d(g(p(r(z(})^)e)g)k)l)p)t)z*O*Y*d*g*h*k*q*r*t*v*y*z*}+Q+U+V+Y+a+c+d+k+x+y,P,X,Y,],g,h,i,k,l,o,q,s,\
u,w,y,z-O-d-f-m-p-s.f.g/V/Z/s0c0d0e0f0h0i0j0k0l0n0r{!cQ#c#p$R$d$p%e%j%p%q&`'O'g(q(|)j*o*x+w,v0g}!dQ#c#p$R$d$p$u%e%j%p%q&`'O'g(q(|)j*o*x+w,v0g!P!eQ#c#p$R$d$p$u$v\
%e%j%p%q&`'O'g(q(|)j*o*x+w,v0g!R!fQ#c#p$R$d$p$u$v$w%e%j%p%q&`'O'g(q(|)j*o*x+w,v0g!T!gQ#c#p$R$d$p$u$v$w$x%e%j%p%q&`'O'g(q(|)j*o*x+w,v0g!V!hQ#c#p$R$d$p$u$v$w$x$y%\
e%j%p%q&`'O'g(q(|)j*o*x+w,v0g!Z!hQ!n#c#p$R$d$p$u$v$w$x$y$z%e%j%p%q&`'O'g(q(|)j*o*x+w,v0g'}TOTYZ[adnoprtxy}!P!Q!R!U!X!c!d!e!f!g!h!i!k!o!p!q!s!t!z#O#S#T#[#d#g#x#y\
#{#}$Q$e$g$h$j$q$}%S%Z%^%`%c%g%l%n%w%|&O&Z&_&h&j&k&u&x&|'P'W'Z'l'm'p'r's'w'|(O(S(W(](^(d(g(p(r(z(})^)e)g)k)l)p)t)z*O*Y*d*g*h*k*q*r*t*v*y*z*}+Q+U+V+Y+a+c+d+k+x+y\
,P,X,Y,],g,h,i,k,l,o,q,s,u,w,y,z-O-d-f-m-p-s.f.g/V/Z/s0c0d0e0f0h0i0j0k0l0n0r&eVOYZ[dnprxy}!P!Q!U!i!k!o!p!q!s!t#[#d#g#y#{#}$Q$h$j$}%S%Z%^%`%g%l%n%w%|&Z&_&j&k&u&x\
'P'W'Z'l'm'p'r's'w(O(W(^(d(g(p(r(z)^)e)g)p)t)z*O*Y*d*g*h*k*q*r*t*v*y*z*}+U+V+Y+a+d+k,P,X,Y,],g,h,i,k,l,o,q,s,u,w,y,z-O-d-f-m-p-s.f.g/V/Z/s0c0d0e0f0h0i0j0k0n0r%o\
XOYZ[dnrxy}!P!Q!U!i!k#[#d#g#y#{#}$Q$h$j$}%S%^%`%g%l%n%w%|&Z&_&j&k&u&x'P'W'Z'l'm'p'r's'w(O(W(^(d(g(p(r(z)^)e)g)p)t)z*O*Y*d*g*h*k*q*t*v*y*z*}+U+V+Y+a+d+k,P,X,Y,],\
g,h,i,k,l,o,s,u,w,y,z-O-d-f-m-p.f.g/V/Z0i0j0kQ#vqQ/[.kR0o0q't`OTYZ[adnoprtxy}!P!Q!R!U!X!c!d!e!f!g!h!k!o!p!q!s!t!z#O#S#T#[#d#g#x#y#{#}$Q$e$g$h$j$q$}%S%Z%^%`%c%g%\
l%n%w%|&O&Z&_&h&j&k&u&x&|'P'W'Z'l'p'r's'w'|(O(S(W(](^(d(g(p(r(z(})^)e)g)k)l)p)t)z*O*Y*g*h*k*q*r*t*v*y*z*}+Q+U+V+Y+a+c+d+k+x+y,P,X,Y,],h,i,k,l,o,q,s,u,w,y,z-O-d-\
f-m-p-s.f.g/V/Z/s0c0d0e0f0h0i0j0k0l0n0rh#jhz{$W$Z&l&q)S)X+f+g-RW#rq&].k0qQ$]|Q$a!OQ$n!VQ$o!WW$|!i'm*d,gS&[#s#tQ'S$iQ(s&UQ)U&nU)Y&s)Z+jW)a&w+m-T-{Q*Q']W*R'_,`-h.\
TQ+l)`S,_*S*TQ-Q+eQ-_,TQ-c,WQ.R-al.W-l.^._.a.z.|/R/j/o/t/y0U0Z0^Q/S.`Q/a.tQ/l/OU0P/u0S0[X0V/z0W0_0`R&Z#r!_!wYZ!P!Q!k%S%`%g'p'r's(O(W)g*g*h*k*q*t*v,h,i,k,l,o-m-p\
.f.g/ZR%^!vQ!{YQ%x#[Q&d#}Q&g$QR,{+YT.j-s/s!Y!jQ!n#c#p$R$d$p$u$v$w$x$y$z%e%j%p%q&`'O'g(q(|)j*o*x+w,v0gQ&X#kQ'c$oR*^'dR'l$|Q%V!mR/_.r'|_OTYZ[adnoprtxy}!P!Q!R!U!X!\
c!d!e!f!g!h!i!k!o!p!q!s!t!z#O#S#T#[#d#g#x#y#{#}$Q$e$g$h$j$q$}%S%Z%^%`%c%g%l%n%w%|&O&Z&_&h&j&k&u&x&|'P'W'Z'l'm'p'r's'w'|(O(S(W(](^(d(g(p(r(z(})^)e)g)k)l)p)t)z*O*\
Y*d*g*h*k*q*r*t*v*y*z*}+Q+U+V+Y+a+c+d+k+x+y,P,X,Y,],g,h,i,k,l,o,q,s,u,w,y,z-O-d-f-m-p-s.f.g/V/Z/s0c0d0e0f0h0i0j0k0l0n0rS#a_#b!P.[-l.^._.`.a.t.z.|/R/j/o/t/u/y/z0\
S0U0W0Z0[0^0_0`'|_OTYZ[adnoprtxy}!P!Q!R!U!X!c!d!e!f!g!h!i!k!o!p!q!s!t!z#O#S#T#[#d#g#x#y#{#}$Q$e$g$h$j$q$}%S%Z%^%`%c%g%l%n%w%|&O&Z&_&h&j&k&u&x&|'P'W'Z'l'm'p'r's'\
w'|(O(S(W(](^(d(g(p(r(z(})^)e)g)k)l)p)t)z*O*Y*d*g*h*k*q*r*t*v*y*z*}+Q+U+V+Y+a+c+d+k+x+y,P,X,Y,],g,h,i,k,l,o,q,s,u,w,y,z-O-d-f-m-p-s.f.g/V/Z/s0c0d0e0f0h0i0j0k0l0\
n0rT#a_#bT#^^#_R(o%xa(l%x(n(o+`,{-y-z.oT+[(k+]R-z,{Q$PsQ+l)aQ,^*RR-e,_X#}s$O$P&fQ&y$aQ'a$nQ'd$oR)s'SQ)b&wV-S+m-T-{ZgOn$j)t,PXkOn)t,PQ$k!TQ&z$bQ&{$cQ'^$mQ'b$oQ)q\
'RQ)x'WQ){'XQ)|'YQ*Z'`S*]'c'dQ+s)gQ+u)hQ+v)iQ+z)oS+|)r*[Q,Q)vQ,R)wS,S)y)zQ,d*^Q-V+rQ-W+tQ-Y+{S-Z+},OQ-`,UQ-b,VQ-|-XQ.O-[Q.P-^Q.Q-_Q.p-}Q.q.RQ/W.dR/r/XWkOn)t,PR#\
mjQ'`$nS)r'S'aR,O)sQ,]*RR-f,^Q*['`Q+})rR-[,OZiOjn)t,PQ'f$pR*`'gT-j,e-ku.c-l.^._.a.t.z.|/R/j/o/t/u/y0S0U0Z0[0^t.c-l.^._.a.t.z.|/R/j/o/t/u/y0S0U0Z0[0^Q/S.`X0V/z0W\
0_0`!P.Z-l.^._.`.a.t.z.|/R/j/o/t/u/y/z0S0U0W0Z0[0^0_0`Q.w.YR/f.xg.z.].{/b/i/n/|0O0Q0]0a0bu.b-l.^._.a.t.z.|/R/j/o/t/u/y0S0U0Z0[0^X.u.W.b/a0PR/c.tV0R/u0S0[R/X.dQn\
OS#on,PR,P)tQ&^#uR(x&^S%m#R#wS(_%m(bT(b%p&`Q%a!yQ%h!}W(P%a%h(U(YQ(U%eR(Y%jQ&i$RR)O&iQ(e%qQ*{(`T+R(e*{Q'n%OR*e'nS'q%R%SY*i'q*j,m-q.hU*j'r's'tU,m*k*l*mS-q,n,oR.h-\
rQ#Y]R%t#YQ#_^R%y#_Q(h%vS+W(h+XR+X(iQ+](kR,|+]Q#b_R%{#bQ#ebQ%}#cW&Q#e%}({+bQ({&cR+b0gQ$OsS&e$O&fR&f$PQ&v$_R)_&vQ&V#jR(t&VQ&m$VS)T&m+hR+h)UQ$Z{R&p$ZQ&t$]R)[&tQ+n\
)bR-U+nQ#hfR&S#hQ)f&zR+q)fQ&}$dS)m&})nR)n'OQ'V$kR)u'VQ'[$lS*P'[,ZR,Z*QQ,a*VR-i,aWjOn)t,PR#ljQ-k,eR.U-kd.{.]/b/i/n/|0O0Q0]0a0bR/h.{U.s.W/a0PR/`.sQ/{/nS0X/{0YR0Y/\
|S/v/b/cR0T/vQ.}.]R/k.}R!ZPXmOn)t,PWlOn)t,PR'T$jYfOn$j)t,PR&R#g[sOn#g$j)t,PR&d#}&dQOYZ[dnprxy}!P!Q!U!i!k!o!p!q!s!t#[#d#g#y#{#}$Q$h$j$}%S%Z%^%`%g%l%n%w%|&Z&_&j&k\
&u&x'P'W'Z'l'm'p'r's'w(O(W(^(d(g(p(r(z)^)e)g)p)t)z*O*Y*d*g*h*k*q*r*t*v*y*z*}+U+V+Y+a+d+k,P,X,Y,],g,h,i,k,l,o,q,s,u,w,y,z-O-d-f-m-p-s.f.g/V/Z/s0c0d0e0f0h0i0j0k0n\
0rQ!nTQ#caQ#poU$Rt%c(SS$d!R$gQ$p!XQ$u!cQ$v!dQ$w!eQ$x!fQ$y!gQ$z!hQ%e!zQ%j#OQ%p#SQ%q#TQ&`#xQ'O$eQ'g$qQ(q&OU(|&h(}+cW)j&|)l+x+yQ*o'|Q*x(]Q+w)kQ,v+QR0g0lQ!yYQ!}ZQ$b\
!PQ$c!QQ%R!kQ't%S^'{%`%g(O(W*q*t*v^*f'p*h,k,l-p.g/ZQ*l'rQ*m'sQ+t)gQ,j*gQ,n*kQ-n,hQ-o,iQ-r,oQ.e-mR/Y.f[bOn#g$j)t,P!^!vYZ!P!Q!k%S%`%g'p'r's(O(W)g*g*h*k*q*t*v,h,i,\
k,l,o-m-p.f.g/ZQ#R[Q#fdS#wrxQ$UyW$_}$Q'P)pS$l!U$hW${!i'm*d,gS%v#[+Y`&P#d%|(p(r(z+a-O0kQ&a#yQ&b#{Q&c#}Q'j$}Q'z%^W([%l(^*y*}Q(`%nQ(i%wQ(v&ZS(y&_0iQ)P&jQ)Q&kU)]&u)\
^+kQ)d&xQ)y'WY)}'Z*O,X,Y-dQ*b'lS*n'w0jW+P(d*z,s,wW+T(g+V,y,zQ+p)eQ,U)zQ,c*YQ,x+UQ-P+dQ-e,]Q-v,uQ.S-fR/q/VhUOn#d#g$j%|&_'w(p(r)t,P%U!uYZ[drxy}!P!Q!U!i!k#[#y#{#}$\
Q$h$}%S%^%`%g%l%n%w&Z&j&k&u&x'P'W'Z'l'm'p'r's(O(W(^(d(g(z)^)e)g)p)z*O*Y*d*g*h*k*q*t*v*y*z*}+U+V+Y+a+d+k,X,Y,],g,h,i,k,l,o,s,u,w,y,z-O-d-f-m-p.f.g/V/Z0i0j0kQ#qpW\
%W!o!s0d0nQ%X!pQ%Y!qQ%[!tQ%f0cS'v%Z0hQ'x0eQ'y0fQ,p*rQ-u,qS.i-s/sR0p0rU#uq.k0qR(w&][cOn#g$j)t,PZ!xY#[#}$Q+YQ#W[Q#zrR$TxQ%b!yQ%i!}Q%o#RQ'j${Q(V%eQ(Z%jQ(c%pQ(f%qQ*\
|(`Q,f*bQ-t,pQ.m-uR/].lQ$StQ(R%cR*s(SQ.l-sR/}/sR#QZR#V[R%Q!iQ%O!iV*c'm*d,g!Z!lQ!n#c#p$R$d$p$u$v$w$x$y$z%e%j%p%q&`'O'g(q(|)j*o*x+w,v0gR%T!kT#]^#_Q%x#[R,{+YQ(m%xS\
+_(n(oQ,}+`Q-x,{S.n-y-zR/^.oT+Z(k+]Q$`}Q&g$QQ)o'PR+{)pQ$XzQ)W&qR+i)XQ$XzQ&o$WQ)W&qR+i)XQ#khW$Vz$W&q)XQ$[{Q&r$ZZ)R&l)S+f+g-RR$^|R)c&wXlOn)t,PQ$f!RR'Q$gQ$m!UR'R$h\
R*X'_Q*V'_V-g,`-h.TQ.d-lQ/P.^R/Q._U.]-l.^._Q/U.aQ/b.tQ/g.zU/i.|/j/yQ/n/RQ/|/oQ0O/tU0Q/u0S0[Q0]0UQ0a0ZR0b0^R/T.`R/d.t",nodeNames:"\u26A0 print Escape { Comment Script\
 AssignStatement * BinaryExpression BitOp BitOp BitOp BitOp ArithOp ArithOp @ ArithOp ** UnaryExpression ArithOp BitOp AwaitExpression await ) ( ParenthesizedEx\
pression BinaryExpression or and CompareOp in not is UnaryExpression ConditionalExpression if else LambdaExpression lambda ParamList VariableName AssignOp , : N\
amedExpression AssignOp YieldExpression yield from TupleExpression ComprehensionExpression async for LambdaExpression ] [ ArrayExpression ArrayComprehensionExpr\
ession } { DictionaryExpression DictionaryComprehensionExpression SetExpression SetComprehensionExpression CallExpression ArgList AssignOp MemberExpression . Pr\
opertyName Number String FormatString FormatReplacement FormatSelfDoc FormatConversion FormatSpec FormatReplacement FormatSelfDoc ContinuedString Ellipsis None \
Boolean TypeDef AssignOp UpdateStatement UpdateOp ExpressionStatement DeleteStatement del PassStatement pass BreakStatement break ContinueStatement continue Ret\
urnStatement return YieldStatement PrintStatement RaiseStatement raise ImportStatement import as ScopeStatement global nonlocal AssertStatement assert TypeDefin\
ition type TypeParamList TypeParam StatementGroup ; IfStatement Body elif WhileStatement while ForStatement TryStatement try except finally WithStatement with F\
unctionDefinition def ParamList AssignOp TypeDef ClassDefinition class DecoratedStatement Decorator At MatchStatement match MatchBody MatchClause case CapturePa\
ttern LiteralPattern ArithOp ArithOp AsPattern OrPattern LogicOp AttributePattern SequencePattern MappingPattern StarPattern ClassPattern PatternArgList Keyword\
Pattern KeywordPattern Guard",maxTerm:277,context:_m,nodeProps:[["isolate",-5,4,71,72,73,77,""],["group",-15,6,85,87,88,90,92,94,96,98,99,100,102,105,108,110,"S\
tatement Statement",-22,8,18,21,25,40,49,50,56,57,60,61,62,63,64,67,70,71,72,79,80,81,82,"Expression",-10,114,116,119,121,122,126,128,133,135,138,"Statement",-9,
143,144,147,148,150,151,152,153,154,"Pattern"],["openedBy",23,"(",54,"[",58,"{"],["closedBy",24,")",55,"]",59,"}"]],propSources:[Gm],skippedNodes:[0,4],repeatNodeCount:34,
tokenData:"!2|~R!`OX%TXY%oY[%T[]%o]p%Tpq%oqr'ars)Yst*xtu%Tuv,dvw-hwx.Uxy/tyz0[z{0r{|2S|}2p}!O3W!O!P4_!P!Q:Z!Q!R;k!R![>_![!]Do!]!^Es!^!_FZ!_!`Gk!`!aHX!a!b%T!b!cI\
f!c!dJU!d!eK^!e!hJU!h!i!#f!i!tJU!t!u!,|!u!wJU!w!x!.t!x!}JU!}#O!0S#O#P&o#P#Q!0j#Q#R!1Q#R#SJU#S#T%T#T#UJU#U#VK^#V#YJU#Y#Z!#f#Z#fJU#f#g!,|#g#iJU#i#j!.t#j#oJU#o#p!1\
n#p#q!1s#q#r!2a#r#s!2f#s$g%T$g;'SJU;'S;=`KW<%lOJU`%YT&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%T`%lP;=`<%l%To%v]&n`%c_OX%TXY%oY[%T[]%o]p%Tpq%oq#O%T#O#P&o#P#o%T#p#q%T#r;\
'S%T;'S;=`%i<%lO%To&tX&n`OY%TYZ%oZ]%T]^%o^#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tc'f[&n`O!_%T!_!`([!`#T%T#T#U(r#U#f%T#f#g(r#g#h(r#h#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tc(cTmR\
&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tc(yT!mR&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk)aV&n`&[ZOr%Trs)vs#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk){V&n`Or%Trs*bs#o%T#p#q%T#r;'S%T\
;'S;=`%i<%lO%Tk*iT&n`&^ZO#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%To+PZS_&n`OY*xYZ%TZ]*x]^%T^#o*x#o#p+r#p#q*x#q#r+r#r;'S*x;'S;=`,^<%lO*x_+wTS_OY+rZ]+r^;'S+r;'S;=`,W<%lO+r_\
,ZP;=`<%l+ro,aP;=`<%l*xj,kV%rQ&n`O!_%T!_!`-Q!`#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tj-XT!xY&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tj-oV%lQ&n`O!_%T!_!`-Q!`#o%T#p#q%T#r;'S%T;\
'S;=`%i<%lO%Tk.]V&n`&ZZOw%Twx.rx#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk.wV&n`Ow%Twx/^x#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk/eT&n`&]ZO#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk/{ThZ&n\
`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tc0cTgR&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk0yXVZ&n`Oz%Tz{1f{!_%T!_!`-Q!`#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk1mVaR&n`O!_%T!_!`-Q!`#o%\
T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk2ZV%oZ&n`O!_%T!_!`-Q!`#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tc2wTzR&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%To3_W%pZ&n`O!_%T!_!`-Q!`!a3w!a#o%T#p#q\
%T#r;'S%T;'S;=`%i<%lO%Td4OT&{S&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk4fX!fQ&n`O!O%T!O!P5R!P!Q%T!Q![6T![#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk5WV&n`O!O%T!O!P5m!P#o%T#p#q%\
T#r;'S%T;'S;=`%i<%lO%Tk5tT!rZ&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Ti6[a!hX&n`O!Q%T!Q![6T![!g%T!g!h7a!h!l%T!l!m9s!m#R%T#R#S6T#S#X%T#X#Y7a#Y#^%T#^#_9s#_#o%T#p#q%T#r;\
'S%T;'S;=`%i<%lO%Ti7fZ&n`O{%T{|8X|}%T}!O8X!O!Q%T!Q![8s![#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Ti8^V&n`O!Q%T!Q![8s![#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Ti8z]!hX&n`O!Q%T!Q![8s!\
[!l%T!l!m9s!m#R%T#R#S8s#S#^%T#^#_9s#_#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Ti9zT!hX&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk:bX%qR&n`O!P%T!P!Q:}!Q!_%T!_!`-Q!`#o%T#p#q%T#r;'S\
%T;'S;=`%i<%lO%Tj;UV%sQ&n`O!_%T!_!`-Q!`#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Ti;ro!hX&n`O!O%T!O!P=s!P!Q%T!Q![>_![!d%T!d!e?q!e!g%T!g!h7a!h!l%T!l!m9s!m!q%T!q!rA]!r!z%T!z!\
{Bq!{#R%T#R#S>_#S#U%T#U#V?q#V#X%T#X#Y7a#Y#^%T#^#_9s#_#c%T#c#dA]#d#l%T#l#mBq#m#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Ti=xV&n`O!Q%T!Q![6T![#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Ti\
>fc!hX&n`O!O%T!O!P=s!P!Q%T!Q![>_![!g%T!g!h7a!h!l%T!l!m9s!m#R%T#R#S>_#S#X%T#X#Y7a#Y#^%T#^#_9s#_#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Ti?vY&n`O!Q%T!Q!R@f!R!S@f!S#R%T#R#S@\
f#S#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Ti@mY!hX&n`O!Q%T!Q!R@f!R!S@f!S#R%T#R#S@f#S#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%TiAbX&n`O!Q%T!Q!YA}!Y#R%T#R#SA}#S#o%T#p#q%T#r;'S%T;'S;=\
`%i<%lO%TiBUX!hX&n`O!Q%T!Q!YA}!Y#R%T#R#SA}#S#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%TiBv]&n`O!Q%T!Q![Co![!c%T!c!iCo!i#R%T#R#SCo#S#T%T#T#ZCo#Z#o%T#p#q%T#r;'S%T;'S;=`%i<%lO\
%TiCv]!hX&n`O!Q%T!Q![Co![!c%T!c!iCo!i#R%T#R#SCo#S#T%T#T#ZCo#Z#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%ToDvV{_&n`O!_%T!_!`E]!`#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%TcEdT%{R&n`O#o%T\
#p#q%T#r;'S%T;'S;=`%i<%lO%TkEzT#gZ&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%TkFbXmR&n`O!^%T!^!_F}!_!`([!`!a([!a#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%TjGUV%mQ&n`O!_%T!_!`-Q!`#o%\
T#p#q%T#r;'S%T;'S;=`%i<%lO%TkGrV%zZ&n`O!_%T!_!`([!`#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%TkH`WmR&n`O!_%T!_!`([!`!aHx!a#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%TjIPV%nQ&n`O!_%T!_!`\
-Q!`#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%TkIoV_Q#}P&n`O!_%T!_!`-Q!`#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%ToJ_]&n`&YS%uZO!Q%T!Q![JU![!c%T!c!}JU!}#R%T#R#SJU#S#T%T#T#oJU#p#q%T#r$\
g%T$g;'SJU;'S;=`KW<%lOJUoKZP;=`<%lJUoKge&n`&YS%uZOr%Trs)Ysw%Twx.Ux!Q%T!Q![JU![!c%T!c!tJU!t!uLx!u!}JU!}#R%T#R#SJU#S#T%T#T#fJU#f#gLx#g#oJU#p#q%T#r$g%T$g;'SJU;'S;=\
`KW<%lOJUoMRa&n`&YS%uZOr%TrsNWsw%Twx! vx!Q%T!Q![JU![!c%T!c!}JU!}#R%T#R#SJU#S#T%T#T#oJU#p#q%T#r$g%T$g;'SJU;'S;=`KW<%lOJUkN_V&n`&`ZOr%TrsNts#o%T#p#q%T#r;'S%T;'S;=\
`%i<%lO%TkNyV&n`Or%Trs! `s#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk! gT&n`&bZO#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk! }V&n`&_ZOw%Twx!!dx#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk!!iV&n`\
Ow%Twx!#Ox#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk!#VT&n`&aZO#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%To!#oe&n`&YS%uZOr%Trs!%Qsw%Twx!&px!Q%T!Q![JU![!c%T!c!tJU!t!u!(`!u!}JU!}#R%T#R\
#SJU#S#T%T#T#fJU#f#g!(`#g#oJU#p#q%T#r$g%T$g;'SJU;'S;=`KW<%lOJUk!%XV&n`&dZOr%Trs!%ns#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk!%sV&n`Or%Trs!&Ys#o%T#p#q%T#r;'S%T;'S;=`%i<%l\
O%Tk!&aT&n`&fZO#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk!&wV&n`&cZOw%Twx!'^x#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk!'cV&n`Ow%Twx!'xx#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk!(PT&n`&eZO#\
o%T#p#q%T#r;'S%T;'S;=`%i<%lO%To!(ia&n`&YS%uZOr%Trs!)nsw%Twx!+^x!Q%T!Q![JU![!c%T!c!}JU!}#R%T#R#SJU#S#T%T#T#oJU#p#q%T#r$g%T$g;'SJU;'S;=`KW<%lOJUk!)uV&n`&hZOr%Trs!\
*[s#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk!*aV&n`Or%Trs!*vs#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk!*}T&n`&jZO#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk!+eV&n`&gZOw%Twx!+zx#o%T#p#q%T#r;\
'S%T;'S;=`%i<%lO%Tk!,PV&n`Ow%Twx!,fx#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tk!,mT&n`&iZO#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%To!-Vi&n`&YS%uZOr%TrsNWsw%Twx! vx!Q%T!Q![JU![!c%T!c\
!dJU!d!eLx!e!hJU!h!i!(`!i!}JU!}#R%T#R#SJU#S#T%T#T#UJU#U#VLx#V#YJU#Y#Z!(`#Z#oJU#p#q%T#r$g%T$g;'SJU;'S;=`KW<%lOJUo!.}a&n`&YS%uZOr%Trs)Ysw%Twx.Ux!Q%T!Q![JU![!c%T!c\
!}JU!}#R%T#R#SJU#S#T%T#T#oJU#p#q%T#r$g%T$g;'SJU;'S;=`KW<%lOJUk!0ZT!XZ&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tc!0qT!WR&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%Tj!1XV%kQ&n`O!\
_%T!_!`-Q!`#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%T~!1sO!]~k!1zV%jR&n`O!_%T!_!`-Q!`#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%T~!2fO![~i!2mT%tX&n`O#o%T#p#q%T#r;'S%T;'S;=`%i<%lO%T",tokenizers:[
Hm,Vm,Nm,Um,0,1,2,3,4],topRules:{Script:[0,5]},specialized:[{term:221,get:n=>Zm[n]||-1}],tokenPrec:7668});function Wf(n){let e=Object.keys(n).join(""),t=/\w/.test(e);return t&&(e=e.replace(/\w/g,"")),`[${t?"\\w":""}${e.replace(/[^\w\s]/g,"\\$&")}]`}function Ym(n){let e=Object.
create(null),t=Object.create(null);for(let{label:s}of n){e[s[0]]=!0;for(let r=1;r<s.length;r++)t[s[r]]=!0}let i=Wf(e)+Wf(t)+"*$";return[new RegExp("^"+i),new RegExp(
i)]}function zf(n){let e=n.map(s=>typeof s=="string"?{label:s}:s),[t,i]=e.every(s=>/^\w+$/.test(s.label))?[/\w*$/,/\w+$/]:Ym(e);return s=>{let r=s.matchBefore(i);
return r||s.explicit?{from:r?r.from:s.pos,options:e,validFor:t}:null}}function If(n,e){return t=>{for(let i=ce(t.state).resolveInner(t.pos,-1);i;i=i.parent){if(n.indexOf(i.name)>-1)return null;if(i.type.isTop)break}return e(t)}}var Km=ue.define();var mO=typeof navigator=="object"&&/Win/.test(navigator.platform);var Jm=P.baseTheme({".cm-tooltip.cm-tooltip-autocomplete":{"& > ul":{fontFamily:"monospace",whiteSpace:"nowrap",overflow:"hidden auto",maxWidth_fallback:"700px",
maxWidth:"min(700px, 95vw)",minWidth:"250px",maxHeight:"10em",height:"100%",listStyle:"none",margin:0,padding:0,"& > li, & > completion-section":{padding:"1px 3\
px",lineHeight:1.2},"& > li":{overflowX:"hidden",textOverflow:"ellipsis",cursor:"pointer"},"& > completion-section":{display:"list-item",borderBottom:"1px solid\
 silver",paddingLeft:"0.5em",opacity:.7}}},"&light .cm-tooltip-autocomplete ul li[aria-selected]":{background:"#17c",color:"white"},"&light .cm-tooltip-autocomp\
lete-disabled ul li[aria-selected]":{background:"#777"},"&dark .cm-tooltip-autocomplete ul li[aria-selected]":{background:"#347",color:"white"},"&dark .cm-toolt\
ip-autocomplete-disabled ul li[aria-selected]":{background:"#444"},".cm-completionListIncompleteTop:before, .cm-completionListIncompleteBottom:after":{content:'\
"\xB7\xB7\xB7"',opacity:.5,display:"block",textAlign:"center",cursor:"pointer"},".cm-tooltip.cm-completionInfo":{position:"absolute",padding:"3px 9px",width:"ma\
x-content",maxWidth:"400px",boxSizing:"border-box",whiteSpace:"pre-line"},".cm-completionInfo.cm-completionInfo-left":{right:"100%"},".cm-completionInfo.cm-comp\
letionInfo-right":{left:"100%"},".cm-completionInfo.cm-completionInfo-left-narrow":{right:"30px"},".cm-completionInfo.cm-completionInfo-right-narrow":{left:"30p\
x"},"&light .cm-snippetField":{backgroundColor:"#00000022"},"&dark .cm-snippetField":{backgroundColor:"#ffffff22"},".cm-snippetFieldPosition":{verticalAlign:"te\
xt-top",width:0,height:"1.15em",display:"inline-block",margin:"0 -0.7px -.7em",borderLeft:"1.4px dotted #888"},".cm-completionMatchedText":{textDecoration:"unde\
rline"},".cm-completionDetail":{marginLeft:"0.5em",fontStyle:"italic"},".cm-completionIcon":{fontSize:"90%",width:".8em",display:"inline-block",textAlign:"cente\
r",paddingRight:".6em",opacity:"0.6",boxSizing:"content-box"},".cm-completionIcon-function, .cm-completionIcon-method":{"&:after":{content:"'\u0192'"}},".cm-com\
pletionIcon-class":{"&:after":{content:"'\u25CB'"}},".cm-completionIcon-interface":{"&:after":{content:"'\u25CC'"}},".cm-completionIcon-variable":{"&:after":{content:"\
'\u{1D465}'"}},".cm-completionIcon-constant":{"&:after":{content:"'\u{1D436}'"}},".cm-completionIcon-type":{"&:after":{content:"'\u{1D461}'"}},".cm-completionIc\
on-enum":{"&:after":{content:"'\u222A'"}},".cm-completionIcon-property":{"&:after":{content:"'\u25A1'"}},".cm-completionIcon-keyword":{"&:after":{content:"'\u{1F511}\uFE0E'"}},
".cm-completionIcon-namespace":{"&:after":{content:"'\u25A2'"}},".cm-completionIcon-text":{"&:after":{content:"'abc'",fontSize:"50%",verticalAlign:"middle"}}}),
Xo=class{constructor(e,t,i,s){this.field=e,this.line=t,this.from=i,this.to=s}},Fo=class n{constructor(e,t,i){this.field=e,this.from=t,this.to=i}map(e){let t=e.mapPos(
this.from,-1,te.TrackDel),i=e.mapPos(this.to,1,te.TrackDel);return t==null||i==null?null:new n(this.field,t,i)}},_o=class n{constructor(e,t){this.lines=e,this.fieldPositions=
t}instantiate(e,t){let i=[],s=[t],r=e.doc.lineAt(t),o=/^\s*/.exec(r.text)[0];for(let a of this.lines){if(i.length){let h=o,f=/^\t*/.exec(a)[0].length;for(let c=0;c<
f;c++)h+=e.facet(xt);s.push(t+h.length-f),a=h+a.slice(f)}i.push(a),t+=a.length+1}let l=this.fieldPositions.map(a=>new Fo(a.field,s[a.line]+a.from,s[a.line]+a.to));
return{text:i,ranges:l}}static parse(e){let t=[],i=[],s=[],r;for(let o of e.split(/\r\n?|\n/)){for(;r=/[#$]\{(?:(\d+)(?::([^{}]*))?|((?:\\[{}]|[^{}])*))\}/.exec(
o);){let l=r[1]?+r[1]:null,a=r[2]||r[3]||"",h=-1;l===0&&(l=1e9);let f=a.replace(/\\[{}]/g,c=>c[1]);for(let c=0;c<t.length;c++)(l!=null?t[c].seq==l:f&&t[c].name==
f)&&(h=c);if(h<0){let c=0;for(;c<t.length&&(l==null||t[c].seq!=null&&t[c].seq<l);)c++;t.splice(c,0,{seq:l,name:f}),h=c;for(let u of s)u.field>=h&&u.field++}for(let c of s)
if(c.line==i.length&&c.from>r.index){let u=r[2]?3+(r[1]||"").length:2;c.from-=u,c.to-=u}s.push(new Xo(h,i.length,r.index,r.index+f.length)),o=o.slice(0,r.index)+
a+o.slice(r.index+r[0].length)}o=o.replace(/\\([{}])/g,(l,a,h)=>{for(let f of s)f.line==i.length&&f.from>h&&(f.from--,f.to--);return a}),i.push(o)}return new n(
i,s)}},eg=W.widget({widget:new class extends Be{toDOM(){let n=document.createElement("span");return n.className="cm-snippetFieldPosition",n}ignoreEvent(){return!1}}}),
tg=W.mark({class:"cm-snippetField"}),Oi=class n{constructor(e,t){this.ranges=e,this.active=t,this.deco=W.set(e.map(i=>(i.from==i.to?eg:tg).range(i.from,i.to)),!0)}map(e){
let t=[];for(let i of this.ranges){let s=i.map(e);if(!s)return null;t.push(s)}return new n(t,this.active)}selectionInsideField(e){return e.ranges.every(t=>this.
ranges.some(i=>i.field==this.active&&i.from<=t.from&&i.to>=t.to))}},en=I.define({map(n,e){return n&&n.map(e)}}),ig=I.define(),Ji=ge.define({create(){return null},
update(n,e){for(let t of e.effects){if(t.is(en))return t.value;if(t.is(ig)&&n)return new Oi(n.ranges,t.value)}return n&&e.docChanged&&(n=n.map(e.changes)),n&&e.
selection&&!n.selectionInsideField(e.selection)&&(n=null),n},provide:n=>P.decorations.from(n,e=>e?e.deco:W.none)});function Ho(n,e){return b.create(n.filter(t=>t.
field==e).map(t=>b.range(t.from,t.to)))}function ng(n){let e=_o.parse(n);return(t,i,s,r)=>{let{text:o,ranges:l}=e.instantiate(t.state,s),{main:a}=t.state.selection,
h={changes:{from:s,to:r==a.from?a.to:r,insert:D.of(o)},scrollIntoView:!0,annotations:i?[Km.of(i),Z.userEvent.of("input.complete")]:void 0};if(l.length&&(h.selection=
Ho(l,0)),l.some(f=>f.field>0)){let f=new Oi(l,0),c=h.effects=[en.of(f)];t.state.field(Ji,!1)===void 0&&c.push(I.appendConfig.of([Ji,ag,hg,Jm]))}t.dispatch(t.state.
update(h))}}function Nf(n){return({state:e,dispatch:t})=>{let i=e.field(Ji,!1);if(!i||n<0&&i.active==0)return!1;let s=i.active+n,r=n>0&&!i.ranges.some(o=>o.field==
s+n);return t(e.update({selection:Ho(i.ranges,s),effects:en.of(r?null:new Oi(i.ranges,s)),scrollIntoView:!0})),!0}}var sg=({state:n,dispatch:e})=>n.field(Ji,!1)?
(e(n.update({effects:en.of(null)})),!0):!1,rg=Nf(1),og=Nf(-1);var lg=[{key:"Tab",run:rg,shift:og},{key:"Escape",run:sg}],Lf=Q.define({combine(n){return n.length?n[0]:lg}}),ag=ft.highest(zi.compute([Lf],n=>n.facet(Lf)));function Ge(n,e){
return{...e,apply:ng(n)}}var hg=P.domEventHandlers({mousedown(n,e){let t=e.state.field(Ji,!1),i;if(!t||(i=e.posAtCoords({x:n.clientX,y:n.clientY}))==null)return!1;
let s=t.ranges.find(r=>r.from<=i&&r.to>=i);return!s||s.field==t.active?!1:(e.dispatch({selection:Ho(t.ranges,s.field),effects:en.of(t.ranges.some(r=>r.field>s.field)?
new Oi(t.ranges,s.field):null),scrollIntoView:!0}),!0)}});var Vf=new class extends ke{};Vf.startSide=1;Vf.endSide=-1;var gO=typeof navigator=="object"&&/Android\b/.test(navigator.userAgent);var Xf=new Hn,_f=new Set(["Script","Body","FunctionDefinition","ClassDefinition","LambdaExpression","ForStatement","MatchClause"]);function ms(n){return(e,t,i)=>{
if(i)return!1;let s=e.node.getChild("VariableName");return s&&t(s,n),!0}}var fg={FunctionDefinition:ms("function"),ClassDefinition:ms("class"),ForStatement(n,e,t){
if(t){for(let i=n.node.firstChild;i;i=i.nextSibling)if(i.name=="VariableName")e(i,"variable");else if(i.name=="in")break}},ImportStatement(n,e){var t,i;let{node:s}=n,
r=((t=s.firstChild)===null||t===void 0?void 0:t.name)=="from";for(let o=s.getChild("import");o;o=o.nextSibling)o.name=="VariableName"&&((i=o.nextSibling)===null||
i===void 0?void 0:i.name)!="as"&&e(o,r?"variable":"namespace")},AssignStatement(n,e){for(let t=n.node.firstChild;t;t=t.nextSibling)if(t.name=="VariableName")e(t,
"variable");else if(t.name==":"||t.name=="AssignOp")break},ParamList(n,e){for(let t=null,i=n.node.firstChild;i;i=i.nextSibling)i.name=="VariableName"&&(!t||!/\*|AssignOp/.
test(t.name))&&e(i,"variable"),t=i},CapturePattern:ms("variable"),AsPattern:ms("variable"),__proto__:null};function Hf(n,e){let t=Xf.get(e);if(t)return t;let i=[],
s=!0;function r(o,l){let a=n.sliceString(o.from,o.to);i.push({label:a,type:l})}return e.cursor(H.IncludeAnonymous).iterate(o=>{if(o.name){let l=fg[o.name];if(l&&
l(o,r,s)||!s&&_f.has(o.name))return!1;s=!1}else if(o.to-o.from>8192){for(let l of Hf(n,o.node))i.push(l);return!1}}),Xf.set(e,i),i}var Ff=/^[\w\xa1-\uffff][\w\d\xa1-\uffff]*$/,
Uf=["String","FormatString","Comment","PropertyName"];function cg(n){let e=ce(n.state).resolveInner(n.pos,-1);if(Uf.indexOf(e.name)>-1)return null;let t=e.name==
"VariableName"||e.to-e.from<20&&Ff.test(n.state.sliceDoc(e.from,e.to));if(!t&&!n.explicit)return null;let i=[];for(let s=e;s;s=s.parent)_f.has(s.name)&&(i=i.concat(
Hf(n.state.doc,s)));return{options:i,from:t?e.from:n.pos,validFor:Ff}}var ug=["__annotations__","__builtins__","__debug__","__doc__","__import__","__name__","__\
loader__","__package__","__spec__","False","None","True"].map(n=>({label:n,type:"constant"})).concat(["ArithmeticError","AssertionError","AttributeError","BaseE\
xception","BlockingIOError","BrokenPipeError","BufferError","BytesWarning","ChildProcessError","ConnectionAbortedError","ConnectionError","ConnectionRefusedErro\
r","ConnectionResetError","DeprecationWarning","EOFError","Ellipsis","EncodingWarning","EnvironmentError","Exception","FileExistsError","FileNotFoundError","Flo\
atingPointError","FutureWarning","GeneratorExit","IOError","ImportError","ImportWarning","IndentationError","IndexError","InterruptedError","IsADirectoryError",
"KeyError","KeyboardInterrupt","LookupError","MemoryError","ModuleNotFoundError","NameError","NotADirectoryError","NotImplemented","NotImplementedError","OSErro\
r","OverflowError","PendingDeprecationWarning","PermissionError","ProcessLookupError","RecursionError","ReferenceError","ResourceWarning","RuntimeError","Runtim\
eWarning","StopAsyncIteration","StopIteration","SyntaxError","SyntaxWarning","SystemError","SystemExit","TabError","TimeoutError","TypeError","UnboundLocalError",
"UnicodeDecodeError","UnicodeEncodeError","UnicodeError","UnicodeTranslateError","UnicodeWarning","UserWarning","ValueError","Warning","ZeroDivisionError"].map(
n=>({label:n,type:"type"}))).concat(["bool","bytearray","bytes","classmethod","complex","float","frozenset","int","list","map","memoryview","object","range","se\
t","staticmethod","str","super","tuple","type"].map(n=>({label:n,type:"class"}))).concat(["abs","aiter","all","anext","any","ascii","bin","breakpoint","callable",
"chr","compile","delattr","dict","dir","divmod","enumerate","eval","exec","exit","filter","format","getattr","globals","hasattr","hash","help","hex","id","input",
"isinstance","issubclass","iter","len","license","locals","max","min","next","oct","open","ord","pow","print","property","quit","repr","reversed","round","setat\
tr","slice","sorted","sum","vars","zip"].map(n=>({label:n,type:"function"}))),dg=[Ge("def ${name}(${params}):\n	${}",{label:"def",detail:"function",type:"keywor\
d"}),Ge("for ${name} in ${collection}:\n	${}",{label:"for",detail:"loop",type:"keyword"}),Ge("while ${}:\n	${}",{label:"while",detail:"loop",type:"keyword"}),Ge(
"try:\n	${}\nexcept ${error}:\n	${}",{label:"try",detail:"/ except block",type:"keyword"}),Ge(`if \${}:
	
`,{label:"if",detail:"block",type:"keyword"}),Ge("if ${}:\n	${}\nelse:\n	${}",{label:"if",detail:"/ else block",type:"keyword"}),Ge("class ${name}:\n	def __init_\
_(self, ${params}):\n			${}",{label:"class",detail:"definition",type:"keyword"}),Ge("import ${module}",{label:"import",detail:"statement",type:"keyword"}),Ge("f\
rom ${module} import ${names}",{label:"from",detail:"import",type:"keyword"})],pg=If(Uf,zf(ug.concat(dg)));function Uo(n){let{node:e,pos:t}=n,i=n.lineIndent(t,-1),
s=null;for(;;){let r=e.childBefore(t);if(r)if(r.name=="Comment")t=r.from;else if(r.name=="Body"||r.name=="MatchBody")n.baseIndentFor(r)+n.unit<=i&&(s=r),e=r;else if(r.
name=="MatchClause")e=r;else if(r.type.is("Statement"))e=r;else break;else break}return s}function jo(n,e){let t=n.baseIndentFor(e),i=n.lineAt(n.pos,-1),s=i.from+
i.text.length;return/^\s*($|#)/.test(i.text)&&n.node.to<s+100&&!/\S/.test(n.state.sliceDoc(s,n.node.to))&&n.lineIndent(n.pos,-1)<=t||/^\s*(else:|elif |except |finally:|case\s+[^=:]+:)/.
test(n.textAfter)&&n.lineIndent(n.pos,-1)>t?null:t+n.unit}var Go=Kn.define({name:"python",parser:$f.configure({props:[yo.add({Body:n=>{var e;let t=/^\s*(#|$)/.test(
n.textAfter)&&Uo(n)||n.node;return(e=jo(n,t))!==null&&e!==void 0?e:n.continue()},MatchBody:n=>{var e;let t=Uo(n);return(e=jo(n,t||n.node))!==null&&e!==void 0?e:
n.continue()},IfStatement:n=>/^\s*(else:|elif )/.test(n.textAfter)?n.baseIndent:n.continue(),"ForStatement WhileStatement":n=>/^\s*else:/.test(n.textAfter)?n.baseIndent:
n.continue(),TryStatement:n=>/^\s*(except[ :]|finally:|else:)/.test(n.textAfter)?n.baseIndent:n.continue(),MatchStatement:n=>/^\s*case /.test(n.textAfter)?n.baseIndent+
n.unit:n.continue(),"TupleExpression ComprehensionExpression ParamList ArgList ParenthesizedExpression":is({closing:")"}),"DictionaryExpression DictionaryCompre\
hensionExpression SetExpression SetComprehensionExpression":is({closing:"}"}),"ArrayExpression ArrayComprehensionExpression":is({closing:"]"}),MemberExpression:n=>n.
baseIndent+n.unit,"String FormatString":()=>null,Script:n=>{var e;let t=Uo(n);return(e=t&&jo(n,t))!==null&&e!==void 0?e:n.continue()}}),kh.add({"ArrayExpression\
 DictionaryExpression SetExpression TupleExpression":wh,Body:(n,e)=>({from:n.from+1,to:n.to-(n.to==e.doc.length?0:1)}),"String FormatString":(n,e)=>({from:e.doc.
lineAt(n.from).to,to:n.to})})]}),languageData:{closeBrackets:{brackets:["(","[","{","'",'"',"'''",'"""'],stringPrefixes:["f","fr","rf","r","u","b","br","rb","F",
"FR","RF","R","U","B","BR","RB"]},commentTokens:{line:"#"},indentOnInput:/^\s*([\}\]\)]|else:|elif |except |finally:|case\s+[^:]*:?)$/}});function jf(){return new Jn(
Go,[Go.data.of({autocomplete:cg}),Go.data.of({autocomplete:pg})])}var Zo=/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{1d159}\u{e0100}-\u{e01ef}]/u,
TO=new RegExp(Zo.source,"gu");var mg="\\t";function Gf(n){return n==="	"?mg:`\\u{${(n.codePointAt(0)??0).toString(16)}}`}var gg=_i([{tag:[O.keyword,O.bool,O.null,O.self],class:"smolcell-keyword"},{tag:O.meta,class:"smolcell-decorator"},{tag:O.string,class:"smolcell-string"},{tag:O.
number,class:"smolcell-number-literal"},{tag:O.comment,class:"smolcell-comment"},{tag:O.standard(O.variableName),class:"smolcell-builtin"}]),Og=P.theme({"&":{border:"\
1px solid var(--c-line)",borderRadius:"4px",backgroundColor:"var(--c-inset)",color:"var(--c-text)",fontSize:"var(--mono-size)"},"&.cm-focused":{outline:"2px sol\
id var(--c-brand)",outlineOffset:"-2px"},".cm-scroller":{maxHeight:"60vh",overflow:"auto",fontFamily:"var(--mono)",lineHeight:"1.45"},"& .cm-content.cm-content:\
focus-visible":{outline:"none"},".cm-content":{caretColor:"var(--c-text)"},".cm-cursor":{borderLeftColor:"var(--c-text)"},".cm-gutters":{border:"0",backgroundColor:"\
transparent",color:"var(--c-quiet)"},".cm-lineNumbers .cm-gutterElement":{padding:"0 8px 0 10px"},"&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectio\
nBackground, .cm-selectionBackground":{background:"var(--jp-editor-selected-focused-background, Highlight)"}}),yg=ih({addSpecialChars:Zo,render:(n,e)=>{let t=document.
createElement("span");return t.className="smolcell-hidden-char",t.textContent=Gf(String.fromCodePoint(n)),t.title=e??"an invisible character",t}});function bg({
label:n,python:e,changed:t},i){return[nh(),Wh(),yg,eh(),Sh(),xt.of("    "),X.lineSeparator.of(`
`),P.lineWrapping,e?jf():[],Th(gg),zi.of([Of,...Nh,...gf]),P.contentAttributes.of({"aria-label":n,spellcheck:"false",autocapitalize:"off",autocorrect:"off"}),P.
updateListener.of(s=>s.docChanged&&t()),Og,i]}function BO(n){let e=new Gt,t=X.create({doc:n.text,selection:{anchor:n.at},extensions:bg(n,e.of([]))}),i=n.parent.
getRootNode(),s=new P({state:t,parent:n.parent,root:i});return{el:s.dom,focus:()=>s.focus(),get at(){return s.state.selection.main.head},get value(){return s.state.
sliceDoc()},get readOnly(){return s.state.readOnly},set readOnly(r){s.dispatch({effects:e.reconfigure(X.readOnly.of(r))})}}}export{BO as edit};
